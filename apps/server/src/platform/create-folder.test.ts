import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFolder } from './create-folder.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-create-folder-'))
afterAll(() => rm(folder, { recursive: true }))

test('a folder is created with its parents, and its second creation returns nothing', async () => {
  const path = join(folder, 'one/two/three')
  expect(await createFolder(path, 0o700)).toBe(join(folder, 'one'))
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect(await createFolder(path)).toBeUndefined()
  expect(await createFolder(join(folder, 'one/other'))).toBe(join(folder, 'one/other'))
})

test('concurrent creations of a folder and its parents all succeed', async () => {
  for (let round = 0; round < 50; round += 1) {
    const paths = ['a', 'b', 'c', 'd'].map((name) => join(folder, `round-${round}/parts/${name}`))
    const created = await Promise.all(paths.map((path) => createFolder(path)))
    expect(created.filter((path) => path === join(folder, `round-${round}`))).toHaveLength(1)
  }
})

test('a folder below a file, and one in the place of a file, are refused', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(createFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(process.platform === 'linux')('a folder below /proc is refused immediately', async () => {
  await expect(createFolder('/proc/backups/archives')).rejects.toMatchObject({ code: 'ENOENT' })
})
