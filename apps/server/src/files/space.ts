import { AppError } from '#platform/app-error.ts'
import type { FileDriver } from '#platform/files/file-driver.ts'
import { createStoreProbe } from '#platform/files/store-probe.ts'
import type { Config } from '../config.ts'
import type { FileRepository, Place, Scope } from './file.repository.ts'

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
 * Returns the limits of the settings. Without FILE_TOTAL, the total follows from the size of the disk. A disk that does
 * not answer is measured again at each use, so that the limit holds from its first answer on.
 */
export async function openSpaceLimits(
  config: Pick<Config, 'fileMaxSize' | 'fileQuota' | 'fileTotal' | 'filesS3'>,
  driver: Pick<FileDriver, 'space'>,
): Promise<SpaceLimits> {
  const ask = createStoreProbe(() => driver.space())
  const measure = () => totalOf(config, { space: ask })
  let total = await measure()
  const isKnown = () => total !== undefined || config.fileTotal === 'off'
  return {
    fileMax: config.fileMaxSize,
    quota: config.fileQuota,
    get total() {
      if (!isKnown()) void measure().then((found) => (total = found))
      return total
    },
  }
}

/** The share of a project, and of the installation, that several unfinished uploads of one uploader may use. */
const shareOfProject = 0.5
const shareOfInstallation = 0.1

/**
 * Returns the free bytes of a place and the error for a larger file. Reserves nothing. The result includes the bytes of
 * expired uploads, which give way, except those of the upload that is being resumed.
 */
export async function spaceLeft(
  files: FileRepository,
  place: Place,
  { quota, total = Infinity }: SpaceLimits,
  resumed: string | null = null,
): Promise<{ most: number; tooLong: () => AppError }> {
  const used = await files.usedSpace(place)
  const inPlace = quota - used.ofPlace + (await files.expiredSpace({ of: place }, resumed))
  const inAll = total - used.ofInstallation + (await files.expiredSpace({ of: 'installation' }, resumed))
  return inAll < inPlace
    ? { most: inAll, tooLong: installationFull }
    : { most: inPlace, tooLong: () => placeFull(place) }
}

/** Throws if a place cannot take this many bytes, even after expired uploads have given way. Reserves nothing. */
export async function checkSpace(
  files: FileRepository,
  place: Place,
  bytes: number,
  { space, resumed = null }: { space: SpaceLimits; resumed?: string | null },
): Promise<void> {
  const used = await files.usedSpace(place)
  const { quota, total = Infinity } = space
  if (bytes <= Math.min(quota - used.ofPlace, total - used.ofInstallation)) return
  const { most, tooLong } = await spaceLeft(files, place, space, resumed)
  if (bytes > most) throw tooLong()
}

/**
 * Throws if the bytes that this transaction has added exceed a limit. Must be its last change: it holds the sums of the
 * place and the installation until the end. Gives up expired uploads for the bytes, and returns their names: their bytes
 * can be deleted after the transaction.
 */
export async function takeSpace(
  files: FileRepository,
  place: Place,
  { space, upload }: { space: SpaceLimits; upload?: Place & { filename: string; size: number } },
): Promise<string[]> {
  await files.settleSpace()
  const givenUp: string[] = []
  for (;;) {
    const exceeded = await exceededLimit(files, place, { space, upload })
    if (exceeded === undefined) return givenUp
    const { scope, bytes, error } = exceeded
    const more = await files.giveUpExpired(scope, bytes, upload?.filename ?? null)
    if (more.length === 0) throw error()
    givenUp.push(...more)
  }
}

interface ExceededLimit {
  /** The expired uploads that give way. */
  scope: Scope
  /** The bytes above the limit. */
  bytes: number
  error: () => AppError
}

/** Returns a limit that the files of a place, or the unfinished ones of the uploader, exceed. */
async function exceededLimit(
  files: FileRepository,
  place: Place,
  { space, upload }: { space: SpaceLimits; upload?: (Place & { size: number }) | undefined },
): Promise<ExceededLimit | undefined> {
  const { quota, total = Infinity } = space
  const used = await files.usedSpace(place)
  const limits: ExceededLimit[] = [
    { scope: { of: place }, bytes: used.ofPlace - quota, error: () => placeFull(place) },
    { scope: { of: 'installation' }, bytes: used.ofInstallation - total, error: installationFull },
  ]
  if (upload !== undefined) {
    const own = await files.unfinishedSpace(place, upload)
    // One upload alone may use all space that is left.
    const above = (bytes: number, share: number) => bytes - Math.max(share, upload.size)
    const ofUploader = (of: Scope['of'], bytes: number) =>
      limits.push({ scope: { of, uploader: upload }, bytes, error: tooManyUploads })
    if (place.projectId !== null) ofUploader(place, above(own.ofPlace, quota * shareOfProject))
    ofUploader('installation', above(own.ofInstallation, total * shareOfInstallation))
  }
  return limits.find(({ bytes }) => bytes > 0)
}

export const tooManyUploads = () =>
  new AppError('TOO_MANY_REQUESTS', {
    retryAfter: 60,
    message: 'You have too many unfinished uploads. Try again later',
  })

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
