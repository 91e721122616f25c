import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { syncFolder, writeDurably } from './durable-file.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

// The file system /proc answers EINVAL.
test.runIf(process.platform === 'linux')(
  'borg#1287 syncthing#4432 pgbackrest#923 WSL#2557 a folder whose file system cannot sync it is no error',
  async () => {
    await expect(syncFolder('/proc/self')).resolves.toBeUndefined()
    await expect(syncFolder('/proc/missing')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)

test('a file is written for its owner alone, also over the remains of an interrupted write that others could read', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'edge.json')
  await writeFile(`${file}.next`, 'remains', { mode: 0o644 })
  await writeDurably(file, 'content')
  expect(await readFile(file, 'utf8')).toBe('content')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['edge.json'])
})
