import { constants, open } from 'node:fs/promises'

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

/**
 * Syncs a folder, so that its names survive a power cut. Does nothing where the file system cannot sync folders. Throws an
 * error with the path, the code and the remedy.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    // Shares of SMB answer that a folder is missing, although it is open.
    if (notKnown.has(code) || (code === 'ENOENT' && syscall === 'fsync')) return
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new Error(`the folder ${folder} cannot be synced (${reason}): check its disk`, { cause })
    throw Object.assign(error, { code, path: folder })
  }
}
