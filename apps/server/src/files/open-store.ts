import { join } from 'node:path'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import type { Config } from '../config.ts'

/** The store that the settings name: a bucket, or a folder. */
export async function openFileStore(
  { filesS3, filesFolder }: Pick<Config, 'filesS3' | 'filesFolder'>,
  dataFolder: string,
): Promise<FileDriver> {
  if (filesS3 === undefined) return createDiskFiles(filesFolder ?? join(dataFolder, 'files'))
  // Imported only where it is used: the client of the store takes more memory than a room.
  const { createS3Files } = await import('#platform/files/s3-files.ts')
  return createS3Files({ ...filesS3, temporaryFolder: join(dataFolder, 'files/measured') })
}
