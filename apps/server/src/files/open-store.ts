import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#platform/create-folder.ts'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import { FileStoreFault } from '#platform/files/file-store-fault.ts'
import { createStoreProbe } from '#platform/files/store-probe.ts'
import type { StoreNotes } from '#platform/places/place-marks.ts'
import { fileFault } from '#platform/start-fault.ts'
import type { Config } from '../config.ts'

/** Opens the configured file store: a bucket or a folder. `notes`: what the installation knows of the folder. */
export async function openFileStore(
  { filesS3, filesFolder }: Pick<Config, 'filesS3' | 'filesFolder'>,
  dataFolder: string,
  admit?: (bytes: number) => Promise<void>,
  notes?: StoreNotes,
): Promise<FileDriver> {
  if (filesS3 === undefined) return createDiskFiles(folderOf(filesFolder, dataFolder), admit, { notes })
  // Lazy: the S3 client needs more memory than a room.
  const { createS3Files } = await import('#platform/files/s3-files.ts')
  return createS3Files({ ...filesS3, temporaryFolder: join(dataFolder, 'files/measured') })
}

const folderOf = (filesFolder: string | undefined, dataFolder: string) =>
  filesFolder ?? join(dataFolder, 'files')

/** A full disk is no reason to stay away: users can still read, and root can free space. */
const passingCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Throws if no file can be written to the configured folder. */
export async function refuseUnwritableFolder(
  { filesS3, filesFolder }: Pick<Config, 'filesS3' | 'filesFolder'>,
  dataFolder: string,
): Promise<void> {
  if (filesS3 !== undefined) return
  const folder = folderOf(filesFolder, dataFolder)
  const proof = createStoreProbe(async () => {
    await createFolder(folder, 0o700)
    await access(folder, constants.W_OK | constants.X_OK)
  })
  try {
    await proof()
  } catch (cause) {
    // A folder that does not answer is no reason to stay away, either: the Root page and the log name it.
    if (cause instanceof FileStoreFault) return
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    if (passingCodes.has(code)) return
    throw fileFault(
      `the folder of files ${folder} cannot be written (${code}): give this user write access, or set FILES_FOLDER to another folder`,
      cause,
    )
  }
}
