import { type FileHandle, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test.each(['ENOTTY', 'ENOENT'])(
  'restic/restic#3752 restic/restic#3720 a share of SMB that answers %s to the sync of a folder is no error',
  async (code) => {
    const folder = await temporaryFolder()
    const handle = await open(folder)
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
    await handle.close()
    onTestFinished(() => sync.mockRestore())
    sync.mockRejectedValue(Object.assign(new Error(`${code}: fsync`), { code, syscall: 'fsync' }))
    await expect(syncFolder(folder)).resolves.toBeUndefined()
    // The sync of a file has no exception.
    await expect(writeDurably(join(folder, 'edge.json'), 'content')).rejects.toMatchObject({ code })
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
