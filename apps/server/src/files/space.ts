import { AppError } from '#platform/app-error.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import type { Config } from '../config.ts'
import type { FileRepository, Place } from './file.repository.ts'

/** In bytes. */
export interface SpaceLimits {
  /** Limit of one file. */
  fileMax: number
  /** Limit of all files of a project, and of a person's own files. */
  quota: number
  /** Limit of all files of the installation; undefined for no limit. */
  total: number | undefined
}

/** The default limit of all files: a share of their disk, which leaves the rest to the database, or a size in S3. */
const shareOfDisk = 0.8
const totalInS3 = 1024 ** 4

/** Returns the limit of all files of the installation; undefined for no limit or if the disk cannot be measured. */
export async function totalOf(
  { fileTotal, filesS3 }: Pick<Config, 'fileTotal' | 'filesS3'>,
  driver: Pick<FileDriver, 'space'>,
): Promise<number | undefined> {
  if (fileTotal === 'off') return undefined
  if (fileTotal !== undefined) return fileTotal
  if (filesS3 !== undefined) return totalInS3
  const disk = await driver.space().catch(() => undefined)
  return disk && Math.floor(disk.size * shareOfDisk)
}

/**
 * Returns the free bytes of a place and the error for a larger file. Locks the space until the transaction ends. Without
 * expired uploads, the result includes the bytes that `takeSpace` can free.
 */
export async function spaceLeft(
  files: FileRepository,
  place: Place,
  { quota, total }: SpaceLimits,
  options: { withExpired?: boolean } = {},
): Promise<{ most: number; scope: Place | 'installation'; tooLong: () => AppError }> {
  await files.lockSpace(place)
  const ofPlace = quota - (await files.usedSpace(place, options))
  if (total !== undefined) {
    // Always locked after the place, so that two callers never wait for each other.
    await files.lockSpace('installation')
    const ofInstallation = total - (await files.usedSpace('installation', options))
    if (ofInstallation < ofPlace)
      return { most: ofInstallation, scope: 'installation', tooLong: installationFull }
  }
  return { most: ofPlace, scope: place, tooLong: () => placeFull(place) }
}

/**
 * Throws if a place has no space for this many bytes. Gives up expired uploads for them, except the one that is being
 * resumed, and returns their names: their bytes can be deleted after the transaction.
 */
export async function takeSpace(
  files: FileRepository,
  place: Place,
  bytes: number,
  { space, resumed = null }: { space: SpaceLimits; resumed?: string | null },
): Promise<string[]> {
  const givenUp: string[] = []
  for (;;) {
    const { most, scope, tooLong } = await spaceLeft(files, place, space)
    if (bytes <= most) return givenUp
    const more = await files.giveUpExpired(scope, bytes - most, resumed)
    if (more.length === 0) throw tooLong()
    givenUp.push(...more)
  }
}

const placeFull = ({ projectId }: Place) =>
  new AppError(
    'PROJECT_FULL',
    projectId === null ? { message: 'Your file storage is full. Delete files to free space' } : {},
  )

const installationFull = () =>
  new AppError('DISK_FULL', {
    message: {
      de: 'The file storage of this installation is full. Delete files, or ask root for more storage',
      'de-DE':
        'Der Dateispeicher dieser Installation ist voll. Löschen Sie Dateien, oder bitten Sie Root um mehr Speicherplatz',
    },
  })
