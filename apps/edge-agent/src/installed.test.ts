import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInstalled } from './installed.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

test('OpenAtom-Linyaps/linyaps#1874 an agent deletes its own old files only, not those of others in its folder', async () => {
  const stateFolder = await temporaryFolder()
  const folder = join(stateFolder, 'agent')
  await mkdir(folder)
  const own = [`${'a'.repeat(64)}.mjs`, `${'0'.repeat(64)}.mjs.next`, 'current.json.next']
  const others = [
    'agent.mjs',
    'config.json',
    'notes.txt',
    `${'A'.repeat(64)}.mjs`,
    `${'a'.repeat(64)}.mjs.bak`,
  ]
  for (const name of [...own, ...others]) await writeFile(join(folder, name), 'x')
  expect(await createInstalled(stateFolder, '2.4.0').choose()).toBeUndefined()
  expect((await readdir(folder)).toSorted()).toEqual(others.toSorted())
})
