import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'

const run = promisify(execFile)

/**
 * Mounts a small file system at a new folder until the end of the file. Returns undefined without the permission to
 * mount, which most users lack.
 *
 * @param limits options of the mount, such as `size=4m,nr_inodes=60`
 */
export async function smallDisk(limits: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-small-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', limits, 'tmpfs', folder])
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  afterAll(async () => {
    await run('umount', ['-l', folder])
    await rm(folder, { recursive: true })
  })
  return folder
}
