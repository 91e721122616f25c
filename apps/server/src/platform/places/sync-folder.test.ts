import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { syncFolder } from './sync-folder.ts'

// The file system /proc answers EINVAL.
test.runIf(process.platform === 'linux')(
  'borg#1287 syncthing#4432 pgbackrest#923 WSL#2557 a folder whose file system cannot sync it is no error',
  async () => {
    await expect(syncFolder('/proc/self')).resolves.toBeUndefined()
  },
)

test('any other error of a sync names the folder and the remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-sync-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await expect(syncFolder(folder)).resolves.toBeUndefined()
  const missing = join(folder, 'missing')
  await expect(syncFolder(missing)).rejects.toMatchObject({
    code: 'ENOENT',
    path: missing,
    message: expect.stringMatching(/^the folder .*missing cannot be synced \(ENOENT.*\): check its disk$/),
  })
})
