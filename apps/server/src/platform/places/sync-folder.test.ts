import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { syncFolder } from './sync-folder.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-sync-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

// The file system /proc answers EINVAL.
test.runIf(process.platform === 'linux')(
  'borg#1287 syncthing#4432 pgbackrest#923 WSL#2557 a folder whose file system cannot sync it is no error',
  async () => {
    await expect(syncFolder('/proc/self')).resolves.toBeUndefined()
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
  },
)

test('any other error of a sync names the folder and the remedy', async () => {
  const folder = await temporaryFolder()
  await expect(syncFolder(folder)).resolves.toBeUndefined()
  const missing = join(folder, 'missing')
  await expect(syncFolder(missing)).rejects.toMatchObject({
    code: 'ENOENT',
    path: missing,
    message: expect.stringMatching(/^the folder .*missing cannot be synced \(ENOENT.*\): check its disk$/),
  })
})
