import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isPlayedAsUploaded } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Events } from '#platform/realtime/events.ts'
import { isTransient } from '#platform/transient.ts'
import { measure } from '../files/content-check.ts'
import type { Files } from '../files/file-store.ts'
import { announceMedium } from './announcements.ts'
import { createMediaRepository, type StoredMedium } from './media.repository.ts'
import { isConvertible, type KeptFormat } from './medium.ts'
import { formatsOfPicture, type Picture, readPicture } from './picture-formats.ts'

interface MakeFormatsParts {
  events: Events
  files: Files
}

/** Bytes. A picture of 50 megapixels, the maximum, is smaller. */
const largestPicture = 400 * 1024 * 1024

/** Milliseconds after which the clean-up job deletes formats that no medium refers to. */
const untilTaken = 3_600_000

/** Makes the formats of pictures, for uploads and for imports. */
export function createMakeFormats({ events, files }: MakeFormatsParts) {
  async function keep(
    path: string,
    { projectId, signal, isTolerant }: { projectId: string; signal: AbortSignal; isTolerant: boolean },
    onKept: (format: KeptFormat) => void,
  ): Promise<void> {
    for await (const made of formatsOfPicture(path, signal, { isTolerant })) {
      const { name, mime, content, width, height, isAnimated } = made
      const file = await files.keep(
        {
          projectId,
          personId: null,
          readers: 'project',
          name: `${name}.${mime.slice('image/'.length)}`,
          contentType: mime,
          lifetime: untilTaken,
          width,
          height,
        },
        Readable.from([content]),
        signal,
      )
      onKept({ name, file: file.id, mime, size: file.size, width, height, isAnimated })
    }
  }

  /**
   * Makes the formats of a picture. It reads a damaged picture as far as possible. It leaves out formats that cannot be
   * made if the upload has measured the picture, because browsers then show the original safely.
   */
  async function convert(
    path: string,
    { projectId, original, signal }: { projectId: string; original: KeptFormat; signal: AbortSignal },
  ): Promise<{ formats: KeptFormat[]; notes: string[] }> {
    if (!isConvertible(original.mime)) {
      // An import does not measure its pictures.
      const size = await measure(path, { name: original.name, contentType: original.mime })
      return { formats: [{ ...original, ...size }], notes: ['unconverted'] }
    }
    const attempt = async (isTolerant: boolean) => {
      const made: KeptFormat[] = []
      let picture: Picture | undefined
      try {
        picture = await readPicture(path, { isTolerant })
        await keep(path, { projectId, signal, isTolerant }, (format) => made.push(format))
        return { made, picture }
      } catch (error) {
        if (signal.aborted || !isUnreadable(error)) throw error
        return { made: [], picture, error }
      }
    }
    const first = await attempt(false)
    const last = first.error === undefined ? first : await attempt(true)
    if (last.error !== undefined && original.width === null) throw last.error
    const { made } = last
    const { width, height, isAnimated } = last.picture ?? { ...original, isAnimated: false }
    const shown = { ...original, width, height, isAnimated }
    const isMoving = made.some((format) => format.isAnimated) || isPlayedAsUploaded(shown)
    const notes = [
      ...(last.error === undefined ? [] : ['unconverted']),
      ...(last.error === undefined && first.error !== undefined ? ['damaged'] : []),
      ...(isAnimated && !isMoving ? ['still'] : []),
    ]
    return { formats: [shown, ...made.toReversed()], notes }
  }

  const setFailed = (projectId: string, mediaId: string, original: string) =>
    events.transaction(async (trx, emit) => {
      const media = createMediaRepository(trx, projectId)
      const now = await media.lock(mediaId)
      if (now?.formats[0]?.file !== original || now.state !== 'processing') return
      const revision = await media.update(mediaId, { state: 'failed' })
      if (revision !== undefined) await announceMedium(emit, projectId, { id: mediaId, revision })
    })

  /**
   * Makes the formats of one picture in place of the previous ones, unless the picture was deleted or replaced
   * concurrently, and returns the notes about it. For an unreadable picture it throws an AppError with the reason, and
   * the medium becomes `failed`. A transient fault leaves the medium `processing`, so that a retry can finish it.
   */
  return async function makeFormats(
    { projectId, medium }: { projectId: string; medium: Pick<StoredMedium, 'id' | 'formats'> },
    signal: AbortSignal,
  ): Promise<string[]> {
    const original = medium.formats[0]
    if (original === undefined) throw new Error('A medium without its original')
    const folder = await mkdtemp(join(tmpdir(), 'pult-picture-'))
    try {
      if (original.size > largestPicture) throw new AppError('IMAGE_TOO_LARGE')
      const path = join(folder, 'original')
      const hash = createHash('sha256')
      await pipeline(await files.open(original.file), tapped(hash), createWriteStream(path), { signal })
      const { formats, notes } = await convert(path, { projectId, original, signal })
      const made = idsOf(formats.slice(1))
      signal.throwIfAborted()
      await events.transaction(async (trx, emit) => {
        const media = createMediaRepository(trx, projectId)
        const now = await media.lock(medium.id)
        if (now?.formats[0]?.file !== original.file || now.state === 'ready') return files.release(trx, made)
        await files.setLifetime(trx, made, null)
        await files.release(trx, idsOf(now.formats.slice(1)))
        const revision = await media.update(medium.id, {
          state: 'ready',
          digest: hash.digest('hex'),
          formats,
          notes,
        })
        if (revision !== undefined) await announceMedium(emit, projectId, { id: medium.id, revision })
      })
      return notes
    } catch (error) {
      // The formats remain until their lifetime ends, because a COMMIT without an answer may have made them permanent.
      if (!signal.aborted && !isTransient(error)) await setFailed(projectId, medium.id, original.file)
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
export type MakeFormats = ReturnType<typeof createMakeFormats>

/** A fault of the picture itself, except that it is too large. */
const isUnreadable = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'CONTENT_MISMATCH'

const idsOf = (formats: readonly KeptFormat[]) => formats.map(({ file }) => file)

const tapped = (hash: { update: (chunk: Buffer) => unknown }) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
