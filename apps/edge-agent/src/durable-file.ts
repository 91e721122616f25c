import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically: after a loss of power it has the old or the new content. Only its owner can read it.
 */
export async function writeDurably(file: string, content: string | Buffer): Promise<void> {
  const next = `${file}.next`
  try {
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.chmod(0o600)
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
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
