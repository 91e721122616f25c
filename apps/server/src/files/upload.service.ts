import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  apiBase,
  type BodyOf,
  type fileEndpoints,
  limits,
  type ResumedUpload,
  type StoredFile,
  type UploadTicket,
} from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { inBatches, writtenAtOnce } from '#platform/files/batches.ts'
import {
  type ArrivedUpload,
  type DirectUploads,
  type FileDriver,
  FileMissing,
  type Part,
} from '#platform/files/file-driver.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Language } from '#platform/language.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { isTransient } from '#platform/transient.ts'
import { isTaskDriver, type TaskDriver } from '../tasks/tokens/task-driver.ts'
import { checkFile, checkHead, headBytes } from './content-check.ts'
import { progressOf } from './direct-parts.ts'
import {
  createFileRepository,
  type FileRepository,
  type HeldUpload,
  type Place,
  type ReopenedUpload,
  storedFileOf,
  type UnfinishedUpload,
  type Uploader,
  type UploadProgress,
} from './file.repository.ts'
import { displayName } from './file-name.ts'
import { isAccepted } from './media-types.ts'
import { unsupportedPicture } from './mismatch.ts'
import { checkSpace, type SpaceLimits, takeSpace, tooManyUploads } from './space.ts'

interface UploadParts {
  db: Kysely<Database>
  driver: FileDriver
  /** Throws NOT_FOUND if the caller may not see the project, and FORBIDDEN if the caller may not upload to it. */
  checkProject: (caller: Caller, projectId: string, language?: Language) => Promise<void>
  space: SpaceLimits
  /** Throws if these bytes would use the reserve of the disk. */
  admit: (bytes: number) => Promise<void>
  /** How often a transfer confirms its bytes, which renews its ticket. */
  pace?: Pace
}

/** The body of an upload with its announced properties. */
export interface IncomingBytes {
  contentType: string
  /** The announced length; undefined for a chunked body. */
  length: number | undefined
  /** The range of a body that continues an interrupted upload. */
  range: { first: number; last: number; size: number } | undefined
  body: Readable
}

interface Pace {
  /** Milliseconds. */
  interval: number
  /** Also after this many bytes. A client sends not much more of them again after the server was killed. */
  bytes: number
}

/** A hold lasts 20 s, so one renewal may fail or be late. */
const usualPace: Pace = { interval: 5000, bytes: 8 * 1024 * 1024 }

/**
 * The number of addresses that one call returns: as many as parts have arrived, because the store may receive these parts
 * unseen. At 2 Mbit/s, sending 16 parts takes nine of their 15 minutes.
 */
const partsAtOnce = { least: 4, most: 16 }

/** Uploads: issues an address, receives the bytes and checks them. */
export function createUploadService({
  db,
  driver,
  checkProject,
  space,
  admit,
  pace = usualPace,
}: UploadParts) {
  const files = createFileRepository(db)
  const { uploads } = driver

  /** A service uploads only to its own project. */
  function uploaderOf(
    caller: Caller | TaskDriver,
  ): Uploader & { sessionId: string | null; tokenId: string | null } {
    return isTaskDriver(caller)
      ? { personId: null, projectId: caller.projectId, sessionId: null, tokenId: caller.tokenId }
      : { personId: caller.personId, projectId: null, sessionId: caller.sessionId, tokenId: null }
  }

  async function checkPlace(
    caller: Caller | TaskDriver,
    projectId: string | null,
    language?: Language,
  ): Promise<void> {
    if (isTaskDriver(caller)) {
      if (projectId !== caller.projectId) throw new AppError('FORBIDDEN')
    } else if (projectId !== null) await checkProject(caller, projectId, language)
  }

  /**
   * Makes a change after which an upload counts with more bytes, and throws if they exceed a limit. The result undefined
   * means that nothing was changed.
   */
  async function grow<Result>(
    upload: Place & { filename: string; size: number },
    change: (within: FileRepository) => Promise<Result>,
  ): Promise<Result> {
    const givenUp: string[] = []
    const result = await db.transaction().execute(async (trx) => {
      const within = createFileRepository(trx)
      const changed = await change(within)
      if (changed !== undefined) givenUp.push(...(await takeSpace(within, upload, { space, upload })))
      return changed
    })
    await removeBytes(givenUp)
    return result
  }

  async function create(
    caller: Caller | TaskDriver,
    asked: BodyOf<typeof fileEndpoints.create>,
    language?: Language,
  ): Promise<UploadTicket> {
    const { contentType, size, project: projectId = null } = asked
    if (!isAccepted(contentType)) throw unsupportedPicture(contentType)
    if (size > Math.min(space.fileMax, uploads.kind === 'direct' ? uploads.most : Infinity))
      throw new AppError('FILE_TOO_LARGE')
    await checkPlace(caller, projectId, language)
    await checkDisk(size)

    const uploader = uploaderOf(caller)
    const { personId, sessionId, tokenId } = uploader
    const place = { projectId, personId }
    await checkSpace(files, place, size, { space })
    const filename = newFilename()
    const token = newToken()
    const partBytes = uploads.kind === 'direct' && size > uploads.parts.bytes ? uploads.parts.bytes : null
    const abandoned: string[] = []
    const expiresAt = await grow({ ...place, filename, size }, async (within) => {
      if ((await within.countUnfinished(uploader)) >= limits.openUploadsMax) {
        abandoned.push(...(await within.giveUpOldest(uploader)))
        if (abandoned.length === 0) throw tooManyUploads()
      }
      const name = displayName(asked.filename)
      const readers = projectId === null ? 'person' : 'project'
      return within.expect(
        { ...place, filename, readers, name, contentType, size },
        {
          tokenHash: hashToken(token),
          sessionId,
          tokenId,
          mayHold: uploads.kind === 'direct' ? size : 0,
        },
      )
    })
    await removeBytes(abandoned)
    const seconds = limits.uploadTicket / 1000
    return { ...(await ticketOf({ filename, contentType, size, expiresAt, seconds }, token)), partBytes }
  }

  async function checkDisk(bytes: number): Promise<void> {
    const disk = await driver.space()
    if (disk !== undefined && disk.free < bytes) throw new AppError('DISK_FULL')
    // The store of direct uploads has its own disk.
    if (uploads.kind === 'parts') await admit(0)
  }

  /** Deletes the bytes of released uploads. The clean-up job deletes those that remain after a failure. */
  async function removeBytes(filenames: readonly string[]): Promise<void> {
    await Promise.allSettled(filenames.map((filename) => driver.remove(filename)))
  }

  async function ticketOf(
    {
      filename,
      contentType,
      size,
      expiresAt,
      seconds,
    }: Pick<ReopenedUpload, 'filename' | 'contentType' | 'size' | 'expiresAt' | 'seconds'>,
    token: string,
  ): Promise<UploadTicket> {
    const isResumable = uploads.kind === 'parts'
    const address =
      uploads.kind === 'direct'
        ? await uploads.addressToPut(filename, { contentType, size }, seconds)
        : { url: `${apiBase}/uploads/${token}`, headers: { 'content-type': contentType } }
    return { ...address, filename, expiresAt: expiresAt.toISOString(), isResumable, partBytes: null }
  }

  /**
   * Continues an unfinished upload of the caller's account with a new address, which replaces the earlier one. The bytes
   * that have arrived stay.
   */
  async function resume(
    caller: Caller | TaskDriver,
    filename: string,
    language?: Language,
  ): Promise<ResumedUpload> {
    const found = await files.findUnfinished(filename, uploaderOf(caller))
    if (found === undefined) throw new AppError('NOT_FOUND')
    await checkPlace(caller, found.projectId, language)
    const token = newToken()
    const upload = await reopen(caller, { filename, found, tokenHash: hashToken(token) })
    const missing =
      uploads.kind === 'direct'
        ? await missingParts(uploads, upload)
        : { partBytes: null, received: upload.received, parts: [] }
    const ticket = await ticketOf(upload, token)
    // An address for the whole file would let the store receive more than the parts, unseen.
    return missing.partBytes === null
      ? { ...ticket, ...missing }
      : { ...ticket, ...missing, url: '', headers: {} }
  }

  /** Makes the ticket of an unfinished upload valid for the session or token of the caller. */
  async function reopen(
    caller: Caller | TaskDriver,
    { filename, found, tokenHash }: { filename: string; found: UnfinishedUpload; tokenHash: Buffer },
  ): Promise<ReopenedUpload> {
    const uploader = uploaderOf(caller)
    const { sessionId, tokenId } = uploader
    if (!found.isResumable) throw new AppError('TICKET_NOT_VALID')
    const missing = found.size - found.received
    await checkDisk(missing)
    if (missing > 0) await checkSpace(files, found, missing, { space, resumed: filename })
    const reopened = await files.reopen(filename, { sessionId, tokenId, tokenHash })
    if (reopened !== undefined) return reopened
    const now = await files.findUnfinished(filename, uploader)
    if (now === undefined) throw new AppError('NOT_FOUND')
    if (!now.isResumable) throw new AppError('TICKET_NOT_VALID')
    // The transfer can have ended since.
    throw new AppError('UPLOAD_RUNNING', { retryAfter: Math.max(1, now.heldFor) })
  }

  /** Returns the addresses of the next missing parts. Begins the upload in parts when it is first called. */
  async function missingParts(
    { parts, arrived }: DirectUploads,
    upload: ReopenedUpload,
  ): Promise<Pick<ResumedUpload, 'partBytes' | 'received' | 'parts'>> {
    const { filename, contentType, size, multipartId, seconds } = upload
    const mayHold = (bytes: number) => grow(upload, (within) => within.setReceived(filename, bytes))
    if (size <= parts.bytes) return inOne
    const { bytes: partBytes } = parts
    let id = multipartId
    let known = id === null ? undefined : await parts.list(filename, id)
    if (known === undefined) {
      // The parts were joined before a failure of `complete`, or the store has deleted them.
      if (multipartId !== null && (await arrived(filename))?.size === size)
        return { partBytes, received: size, parts: [] }
      const begun = await parts.begin(filename, contentType)
      if (begun === undefined) {
        await mayHold(size)
        return inOne
      }
      id = await files.setMultipart(filename, begun, multipartId)
      if (id !== begun) await parts.abort(filename, begun)
      known = id === null || id === begun ? [] : await parts.list(filename, id)
    }
    if (id === null || known === undefined) throw new AppError('TICKET_NOT_VALID')
    const progress = progressOf(size, { bytes: partBytes, arrived: known })
    const { least, most } = partsAtOnce
    const next = progress.missing.slice(0, Math.min(most, Math.max(least, progress.present.length)))
    await mayHold(next.reduce((sum, { first, end }) => sum + end - first, progress.received))
    const current = id
    const addresses = next.map(async ({ number, first, end }) => ({
      url: await parts.addressToPut(filename, current, { number, size: end - first }, seconds),
      first,
      end,
    }))
    return { partBytes, received: progress.received, parts: await Promise.all(addresses) }
  }

  /**
   * Rejects an uploader who lost the project or the role since the ticket was issued. Tickets of a task driver expire
   * with its token.
   */
  async function checkStillAllowed(tokenHash: Buffer): Promise<void> {
    const ticket = await db
      .selectFrom('upload_ticket as t')
      .innerJoin('file as f', 'f.id', 't.file_id')
      .innerJoin('person as p', 'p.id', 'f.person_id')
      .innerJoin('email as e', (join) => join.onRef('e.person_id', '=', 'p.id').on('e.is_default', '=', true))
      .select([
        'f.project_id',
        'p.id as personId',
        'p.is_root as isRoot',
        'p.firstname',
        'p.lastname',
        'e.email',
      ])
      .where('t.token_hash', '=', tokenHash)
      .executeTakeFirst()
    if (ticket === undefined) return
    const { project_id: projectId, ...person } = ticket
    const caller = { ...person, sessionId: '', scope: [], isRecent: false, otpEnabled: false }
    await checkPlace(caller, projectId).catch((error: unknown) => {
      const isLost = error instanceof AppError && ['NOT_FOUND', 'FORBIDDEN'].includes(error.code)
      throw isLost ? new AppError('TICKET_NOT_VALID') : error
    })
  }

  /** Returns the progress of an upload through this server. */
  async function received(token: string): Promise<UploadProgress> {
    const tokenHash = hashToken(token)
    const found = uploads.kind === 'parts' ? await files.received(tokenHash) : undefined
    if (found === undefined) throw new AppError('TICKET_NOT_VALID')
    await checkStillAllowed(tokenHash)
    return found
  }

  async function hold(tokenHash: Buffer, holder: string): Promise<HeldUpload> {
    await checkStillAllowed(tokenHash)
    const upload = await files.hold(tokenHash, holder)
    if (upload === undefined) throw new AppError('TICKET_NOT_VALID')
    if (!('fileId' in upload)) throw new AppError('UPLOAD_RUNNING', { retryAfter: upload.heldFor })
    return upload
  }

  /** Receives the bytes for a ticket. An interrupted upload keeps its bytes for a retry; a refused one deletes them. */
  async function receive(token: string, incoming: IncomingBytes): Promise<StoredFile> {
    if (uploads.kind !== 'parts') throw new AppError('TICKET_NOT_VALID')
    const { body } = incoming
    const [tokenHash, holder] = [hashToken(token), randomUUID()]
    const upload = await hold(tokenHash, holder)
    let part: Part | undefined
    let held: HeldTicket | undefined
    try {
      const { first, end } = placeOf(incoming, upload)
      await checkSpace(files, upload, upload.size - upload.received, { space, resumed: upload.filename })
      part = await uploads.open(upload.filename, first)
      const renew = (bytes: number) => grow(upload, (within) => within.renew(tokenHash, holder, bytes))
      held = holdTicket(part, { left: upload.left, pace, renew })
      await takeBytes(part, { body, end, upload, held })
      if (part.position() < upload.size) throw new AppError('UPLOAD_INCOMPLETE')
      const { size, sha256 } = await part.finish()
      const { read, withPath } = part
      const checked = await checkFile({ size, read, withPath }, upload)
      await checkStillAllowed(tokenHash)
      await held.end()
      // Another upload that has taken over the ticket is writing the same part.
      if ((await renew(upload.size)) === undefined) throw new AppError('TICKET_NOT_VALID')
      // Before the statement that marks the file as stored, so that a slow disk does not hold a transaction open.
      await part.keep()
      const stored = await files.store({ tokenHash, holder }, { ...checked, sha256 })
      if (stored === undefined) throw new AppError('TICKET_NOT_VALID')
      return storedFileOf(stored)
    } catch (error) {
      await held?.end()
      await giveUp(error, part, { upload, tokenHash, holder })
      throw error instanceof FileMissing ? new AppError('UPLOAD_INCOMPLETE') : error
    } finally {
      await part?.close()
    }
  }

  /**
   * Releases the ticket. Keeps the bytes that a retry can continue, also with a new ticket; after a final refusal deletes
   * the ticket and the bytes. Once another upload has taken over the ticket, the part belongs to that upload. Throws the
   * reason if no bytes remain.
   */
  async function giveUp(
    error: unknown,
    part: Part | undefined,
    { upload, tokenHash, holder }: { upload: HeldUpload; tokenHash: Buffer; holder: string },
  ): Promise<void> {
    if (part === undefined) {
      await files.releaseTicket(tokenHash, holder, error instanceof FileMissing ? 0 : upload.received)
      return
    }
    // Faults of the server are no refusals: a retry may succeed with these bytes.
    const isInterrupted =
      !(error instanceof AppError) || isTransient(error) || error.code === 'UPLOAD_INCOMPLETE'
    let refusal = error
    // The ticket is no longer valid: its uploader may resume with the bytes that have arrived.
    if (isInterrupted || (await files.renew(tokenHash, holder, 0)) === undefined) {
      await part.sync()
      const bytes = part.position()
      try {
        await grow(upload, (within) => within.releaseTicket(tokenHash, holder, bytes))
        return
      } catch (full) {
        if (!(full instanceof AppError) || isTransient(full)) throw full
        refusal = full
      }
    }
    if (uploads.kind === 'parts') await uploads.remove(upload.filename)
    if (isFinal(refusal)) await files.refuse(tokenHash, holder)
    else await files.releaseTicket(tokenHash, holder, 0)
    throw refusal
  }

  /** Completes an upload to the store. A repeat after any failure continues it. */
  async function complete(caller: Caller | TaskDriver, filename: string): Promise<StoredFile> {
    const uploader = uploaderOf(caller)
    const { personId } = uploader
    const stored = await files.findStored(filename)
    const isOfService = personId !== null || stored?.projectId === uploader.projectId
    if (stored?.personId === personId && isOfService) return storedFileOf(stored)
    const found = await files.findUnfinished(filename, uploader)
    if (found === undefined) throw new AppError('NOT_FOUND')
    if (uploads.kind === 'parts') {
      throw new AppError(found.isValid ? 'UPLOAD_INCOMPLETE' : 'TICKET_NOT_VALID')
    }

    const { tokenHash } = found
    // The bytes can have arrived long after the address expired, because the store checks it only when they begin.
    await reopen(caller, { filename, found, tokenHash })
    const holder = randomUUID()
    const upload = await hold(tokenHash, holder)
    const { multipartId, size } = upload
    let mayHold = upload.received
    const renewing = setInterval(
      () => void files.renew(tokenHash, holder, mayHold).catch(() => {}),
      pace.interval,
    )
    let arrived: ArrivedUpload | undefined
    try {
      arrived = (await uploads.arrived(filename)) ?? (await joined(uploads, upload))
      if (arrived === undefined || arrived.size < size) throw new AppError('UPLOAD_INCOMPLETE')
      if (arrived.size > size) throw new AppError('FILE_TOO_LARGE')
      await grow(upload, (within) => within.renew(tokenHash, holder, size))
      mayHold = size
      const checked = await checkFile(arrived, upload)
      // The copy can take long, so it runs before the statement that marks the file as stored.
      await arrived.keep()
      await checkStillAllowed(tokenHash)
      const file = await files.store({ tokenHash, holder }, { ...checked, sha256: null })
      if (file === undefined) throw new AppError('TICKET_NOT_VALID')
      // Until here a retry can copy the object again. If the removal fails, the object is deleted together with the
      // file.
      await arrived.remove().catch(() => {})
      if (multipartId !== null) await uploads.parts.abort(filename, multipartId).catch(() => {})
      return storedFileOf(file)
    } catch (error) {
      if (isFinal(error)) {
        await arrived?.remove()
        if (multipartId !== null) await uploads.parts.abort(filename, multipartId)
        await files.refuse(tokenHash, holder)
      } else await files.releaseTicket(tokenHash, holder, mayHold)
      throw error
    } finally {
      clearInterval(renewing)
    }
  }

  /** Joins the parts of an upload. Undefined if some are missing. */
  async function joined(
    { parts, arrived }: DirectUploads,
    { filename, size, multipartId }: HeldUpload,
  ): Promise<ArrivedUpload | undefined> {
    const known = multipartId === null ? undefined : await parts.list(filename, multipartId)
    if (multipartId === null || known === undefined) return undefined
    const { present, missing } = progressOf(size, { bytes: parts.bytes, arrived: known })
    if (missing.length > 0) return undefined
    await parts.join(filename, multipartId, present)
    return arrived(filename)
  }

  return { create, resume, received, receive, complete }
}
export type UploadService = ReturnType<typeof createUploadService>

/** The stored name is random and contains no client input. */
export const newFilename = () => randomBytes(16).toString('hex')

/** A file that is sent in one piece to the store. */
const inOne = { partBytes: null, received: 0, parts: [] }

/** Returns whether a retry with the same bytes would fail again. */
const isFinal = (error: unknown) =>
  error instanceof AppError && ['FILE_TOO_LARGE', 'CONTENT_MISMATCH', 'IMAGE_TOO_LARGE'].includes(error.code)

/** Returns the range of bytes that may be sent now. Throws before any byte is read. */
function placeOf(
  { contentType, length, range }: IncomingBytes,
  upload: HeldUpload,
): { first: number; end: number } {
  if (contentType.split(';')[0]?.trim().toLowerCase() !== upload.contentType) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: {
        de: 'The file’s type differs from the announced type',
        'de-DE': 'Die Datei hat einen anderen Typ als angekündigt',
      },
    })
  }
  const { first, last, size } = range ?? { first: 0, last: upload.size - 1, size: upload.size }
  if (size !== upload.size || last >= size || first > last + 1) {
    throw new AppError('VALIDATION_FAILED', { message: 'The range does not match this file' })
  }
  if (range !== undefined && first !== upload.received) throw new AppError('UPLOAD_INCOMPLETE')
  if (length !== undefined && length > last + 1 - first) throw new AppError('FILE_TOO_LARGE')
  return { first, end: last + 1 }
}

interface HeldTicket {
  /** Aborts when the ticket is lost or has expired. */
  signal: AbortSignal
  /** Must be called after each write. Throws if the bytes exceed a limit. */
  written(): void
  /** Ends the renewals. May be called again. */
  end(): Promise<void>
}

/**
 * Keeps a ticket until `end`: at the given pace, syncs the bytes of its part and renews it with them. `renew` returns the
 * milliseconds that are left.
 */
function holdTicket(
  part: Part,
  {
    left,
    pace,
    renew,
  }: { left: number; pace: Pace; renew: (received: number) => Promise<number | undefined> },
): HeldTicket {
  const ended = new AbortController()
  const stop = () => ended.abort()
  let confirmed = part.position()
  let deadline = setTimeout(stop, left)
  let renewing: Promise<void> | undefined
  let refusal: AppError | undefined
  async function confirm(): Promise<void> {
    confirmed = part.position()
    const bytes = confirmed
    await part.sync()
    const now = await renew(bytes)
    if (now === undefined) return stop()
    clearTimeout(deadline)
    deadline = setTimeout(stop, now)
  }
  // A renewal that failed by a fault is retried. The final statement decides whether the ticket is still valid.
  const start = () => {
    renewing ??= confirm()
      .catch((error: unknown) => {
        if (error instanceof AppError && !isTransient(error)) refusal = error
      })
      .finally(() => {
        renewing = undefined
      })
  }
  const renewals = setInterval(start, pace.interval)
  return {
    signal: ended.signal,
    written() {
      if (refusal !== undefined) throw refusal
      if (part.position() - confirmed >= pace.bytes) start()
    },
    async end() {
      clearInterval(renewals)
      await renewing
      clearTimeout(deadline)
    },
  }
}

interface Bytes {
  body: Readable
  /** The position after the last permitted byte. */
  end: number
  upload: HeldUpload
  held: HeldTicket
}

/** Writes the body until it ends. An interrupted body is UPLOAD_INCOMPLETE. */
async function takeBytes(part: Part, { body, end, upload, held }: Bytes): Promise<void> {
  const looked = Math.min(upload.size, headBytes)
  let isChecked = false
  const stop = () => body.destroy()
  held.signal.addEventListener('abort', stop)

  async function check(): Promise<void> {
    if (isChecked || part.position() < looked) return
    isChecked = true
    await checkHead(await part.read(0, looked), upload)
  }
  try {
    for await (const chunks of inBatches(body, writtenAtOnce)) {
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      if (part.position() + length > end) throw new AppError('FILE_TOO_LARGE')
      await part.write(chunks, { isLastUse: true })
      held.written()
      await check()
    }
    await check()
  } catch (error) {
    if (held.signal.aborted) throw new AppError('TICKET_NOT_VALID')
    // Aborted by the client, or by the server because no bytes arrived.
    if (error instanceof AppError || !body.destroyed) throw error
    await part.sync()
    throw new AppError('UPLOAD_INCOMPLETE')
  } finally {
    held.signal.removeEventListener('abort', stop)
  }
}
