import { createHash } from 'node:crypto'
import type { ListedFile } from './backup-folder.ts'
import { type BackupStore, isLost } from './backup-store.ts'

/** Returns whether a stored file has the bytes that the signed list names. */
export async function isUnchanged(store: BackupStore, { stored, sha256 }: ListedFile): Promise<boolean> {
  const digest = createHash('sha256')
  try {
    for await (const chunk of await store.read('files', stored)) digest.update(chunk as Buffer)
  } catch (error) {
    if (isLost(error)) return false
    throw error
  }
  return digest.digest('hex') === sha256
}
