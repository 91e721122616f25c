import { AppError } from '#platform/app-error.ts'
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

/**
 * Returns the free bytes of a place and the error for a larger file. Locks the space until the transaction ends.
 */
export async function spaceLeft(
  files: FileRepository,
  place: Place,
  { quota, total }: SpaceLimits,
): Promise<{ most: number; tooLong: () => AppError }> {
  await files.lockSpace(place)
  const ofPlace = quota - (await files.usedSpace(place))
  if (total !== undefined) {
    // Always locked after the place, so that two callers never wait for each other.
    await files.lockSpace('installation')
    const ofInstallation = total - (await files.usedSpace('installation'))
    if (ofInstallation < ofPlace) return { most: ofInstallation, tooLong: installationFull }
  }
  return { most: ofPlace, tooLong: () => placeFull(place) }
}

export async function checkSpace(
  files: FileRepository,
  place: Place,
  size: number,
  limits: SpaceLimits,
): Promise<void> {
  const { most, tooLong } = await spaceLeft(files, place, limits)
  if (most < size) throw tooLong()
}

const placeFull = ({ projectId }: Place) =>
  new AppError(
    'PROJECT_FULL',
    projectId === null ? { message: 'Your file storage is full. Delete files to free space' } : {},
  )

const installationFull = () =>
  new AppError('DISK_FULL', {
    message: {
      de: 'The file storage of this installation is full. Delete files, or ask root for more',
      'de-DE':
        'Der Dateispeicher dieser Installation ist voll. Löschen Sie Dateien, oder bitten Sie Root um mehr Platz',
    },
  })
