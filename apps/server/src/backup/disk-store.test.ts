import { expect, test } from 'vitest'
import { createDiskStore } from './disk-store.ts'

test.runIf(process.platform === 'linux')('a folder that cannot be created is named immediately', async () => {
  const store = createDiskStore('/proc/backups', async () => {})
  await expect(store.prepare()).rejects.toThrow(
    /^backups cannot be written \(ENOENT.*\): check that \/proc\/backups is a folder and belongs to this user$/,
  )
})
