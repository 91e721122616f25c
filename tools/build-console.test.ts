import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeOldAssets } from './build-console.ts'

test('tloncorp/tlon-apps#1001 a build keeps the files of the build that it replaces for a day, however old they are', async () => {
  const built = await mkdtemp(join(tmpdir(), 'pult-build-'))
  onTestFinished(() => rm(built, { recursive: true }))
  await Promise.all([mkdir(join(built, 'assets')), mkdir(join(built, '.vite'))])
  const manifestOf = (...names: string[]) => JSON.stringify(names.map((name) => ({ file: `assets/${name}` })))
  const weekAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000)
  for (const name of ['first.js', 'second.js', 'second.js.br', 'third.js']) {
    await writeFile(join(built, 'assets', name), '')
    await utimes(join(built, 'assets', name), weekAgo, weekAgo)
  }
  await writeFile(join(built, '.vite/manifest.json'), manifestOf('third.js'))
  await removeOldAssets(built, manifestOf('second.js'))
  expect((await readdir(join(built, 'assets'))).toSorted()).toEqual(['second.js', 'second.js.br', 'third.js'])
})
