import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically: after a loss of power it has the old or the new content. Only its owner can read it.
 */
export async function writeDurably(file: string, content: string | Buffer): Promise<void> {
  const next = `${file}.next`
  try {
    // A new file has this mode where the file system knows modes. FAT refuses to change one.
    await rm(next, { force: true })
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    // A partial file would take up space on a full disk.
    await rm(next, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(file))
}

/** Answers of file systems that cannot sync a folder, such as network shares and those of other operating systems. */
const notKnown: ReadonlySet<unknown> = new Set([
  'EINVAL',
  'EISDIR',
  'ENOSYS',
  'ENOTSUP',
  'ENOTTY',
  'EOPNOTSUPP',
  'EPERM',
])

/** Syncs a folder, so that its names survive a power cut. Does nothing where the file system cannot sync folders. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (!cannotSync(error)) throw error
  }
}

/** Shares of SMB answer that a folder is missing, although it is open. */
const cannotSync = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (notKnown.has(error.code) || (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'fsync'))
