import { join } from 'node:path'
import { createDiskFiles } from '#platform/files/disk-files.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import type { Config } from '../config.ts'

/** Opens the configured file store: a bucket or a folder. */
export async function openFileStore(
  { filesS3, filesFolder }: Pick<Config, 'filesS3' | 'filesFolder'>,
  dataFolder: string,
  admit?: (bytes: number) => Promise<void>,
): Promise<FileDriver> {
  if (filesS3 === undefined) return createDiskFiles(filesFolder ?? join(dataFolder, 'files'), admit)
  // Lazy: the S3 client needs more memory than a room.
  const { createS3Files } = await import('#platform/files/s3-files.ts')
  return createS3Files({ ...filesS3, temporaryFolder: join(dataFolder, 'files/measured') })
}
