import { randomBytes, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  apiBase,
  type BodyOf,
  type fileEndpoints,
  limits,
  type StoredFile,
  type UploadTicket,
} from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { inBatches, writtenAtOnce } from '#platform/files/batches.ts'
import { type ArrivedUpload, type FileDriver, FileMissing, type Part } from '#platform/files/file-driver.ts'
import type { Caller } from '#platform/http/route.ts'
import { hashToken, newToken } from '#platform/secrets.ts'
import { isTransient } from '#platform/transient.ts'
import type { ProjectService } from '../projects/project.service.ts'
import { isTaskDriver, type TaskDriver } from '../tasks/tokens/task-driver.ts'
import { checkHead, headBytes, measure } from './content-check.ts'
import {
  createFileRepository,
  type HeldUpload,
  storedFileOf,
  type Uploader,
  type UploadProgress,
} from './file.repository.ts'
import { displayName } from './file-name.ts'
import { isAccepted, measuredFormat } from './media-types.ts'
import { checkSpace, type SpaceLimits } from './space.ts'

interface UploadParts {
  db: Kysely<Database>
  driver: FileDriver
  findProject: ProjectService['read']
  space: SpaceLimits
  /** Throws if these bytes would use the reserve of the disk. */
  admit: (bytes: number) => Promise<void>
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

/** Milliseconds between two renewals. A hold lasts 20 s, so one renewal may fail or be late. */
const renewal = 5000

/** Uploads: issues an address, receives the bytes and checks them. */
export function createUploadService({ db, driver, findProject, space, admit }: UploadParts) {
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

  async function checkPlace(caller: Caller | TaskDriver, projectId: string | null): Promise<void> {
    if (isTaskDriver(caller)) {
      if (projectId !== caller.projectId) throw new AppError('FORBIDDEN')
    } else if (projectId !== null) await findProject(caller, projectId)
  }

  async function create(
    caller: Caller | TaskDriver,
    asked: BodyOf<typeof fileEndpoints.create>,
  ): Promise<UploadTicket> {
    const { contentType, size, project: projectId = null } = asked
    if (!isAccepted(contentType)) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
    if (size > Math.min(space.fileMax, uploads.kind === 'direct' ? uploads.most : Infinity))
      throw new AppError('FILE_TOO_LARGE')
    await checkPlace(caller, projectId)
    const disk = await driver.space()
    if (disk !== undefined && disk.free < size) throw new AppError('DISK_FULL')
    // The store of direct uploads has its own disk.
    if (uploads.kind === 'parts') await admit(0)

    const uploader = uploaderOf(caller)
    const { personId, sessionId, tokenId } = uploader
    const filename = newFilename()
    const token = newToken()
    const expiresAt = await db.transaction().execute(async (trx) => {
      const within = createFileRepository(trx)
      await checkSpace(within, { projectId, personId }, size, space)
      if ((await within.countTickets(uploader)) >= limits.openUploadsMax) {
        throw new AppError('TOO_MANY_REQUESTS', {
          retryAfter: 60,
          message: 'You have too many unfinished uploads. Try again later',
        })
      }
      const name = displayName(asked.filename)
      const readers = projectId === null ? 'person' : 'project'
      return within.expect(
        { filename, projectId, personId, readers, name, contentType, size },
        { tokenHash: hashToken(token), sessionId, tokenId },
      )
    })
    const address =
      uploads.kind === 'direct'
        ? await uploads.addressToPut(filename, { contentType, size }, limits.uploadTicket / 1000)
        : { url: `${apiBase}/uploads/${token}`, headers: { 'content-type': contentType } }
    return {
      ...address,
      filename,
      expiresAt: expiresAt.toISOString(),
      isResumable: uploads.kind === 'parts',
    }
  }

  /**
   * Rejects an uploader who lost access to the project since the ticket was issued. Tickets of a task driver expire
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
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? new AppError('TICKET_NOT_VALID') : error
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
    try {
      const { first, end } = placeOf(incoming, upload)
      part = await uploads.open(upload.filename, first)
      await takeBytes(part, { body, end, upload, renew: (bytes) => files.renew(tokenHash, holder, bytes) })
      if (part.position() < upload.size) throw new AppError('UPLOAD_INCOMPLETE')
      const { sha256 } = await part.finish()
      const size = await measure(part.path, upload.contentType)
      const { width, height } = size ?? { width: null, height: null }
      await checkStillAllowed(tokenHash)
      // Another upload that has taken over the ticket is writing the same part.
      if (!(await files.renew(tokenHash, holder, upload.size))) throw new AppError('TICKET_NOT_VALID')
      // Before the statement that marks the file as stored, so that a slow disk does not hold a transaction open.
      await part.keep()
      const stored = await files.store({ tokenHash, holder }, { sha256, width, height })
      if (stored === undefined) throw new AppError('TICKET_NOT_VALID')
      return storedFileOf(stored)
    } catch (error) {
      await giveUp(error, part, { upload, tokenHash, holder })
      throw error instanceof FileMissing ? new AppError('UPLOAD_INCOMPLETE') : error
    } finally {
      await part?.close()
    }
  }

  /**
   * Releases the ticket. Keeps the bytes that a retry can continue; after a final refusal deletes the ticket and the
   * bytes. Once another upload has taken over the ticket, the part belongs to that upload.
   */
  async function giveUp(
    error: unknown,
    part: Part | undefined,
    { upload, tokenHash, holder }: { upload: HeldUpload; tokenHash: Buffer; holder: string },
  ): Promise<void> {
    if (part === undefined) {
      return files.releaseTicket(tokenHash, holder, error instanceof FileMissing ? 0 : upload.received)
    }
    if (isTransient(error) || (error instanceof AppError && error.code === 'UPLOAD_INCOMPLETE')) {
      await part.sync()
      return files.releaseTicket(tokenHash, holder, part.position())
    }
    if (!(await files.renew(tokenHash, holder, 0))) return
    if (uploads.kind === 'parts') await uploads.remove(upload.filename)
    if (isFinal(error)) return files.refuse(tokenHash, holder)
    return files.releaseTicket(tokenHash, holder, 0)
  }

  /** Completes an upload to the store. A repeat after any failure continues it. */
  async function complete(caller: Caller | TaskDriver, filename: string): Promise<StoredFile> {
    const uploader = uploaderOf(caller)
    const { personId } = uploader
    const stored = await files.findStored(filename)
    const isOfService = personId !== null || stored?.projectId === uploader.projectId
    if (stored?.personId === personId && isOfService) return storedFileOf(stored)
    const ticket = await files.findTicket(filename, uploader)
    if (ticket === undefined) {
      throw new AppError((await files.isExpected(filename, uploader)) ? 'TICKET_NOT_VALID' : 'NOT_FOUND')
    }
    if (uploads.kind === 'parts') throw new AppError('UPLOAD_INCOMPLETE')

    const { tokenHash } = ticket
    const holder = randomUUID()
    const upload = await hold(tokenHash, holder)
    const renewing = setInterval(() => void files.renew(tokenHash, holder, 0).catch(() => {}), renewal)
    let arrived: ArrivedUpload | undefined
    try {
      arrived = await uploads.arrived(filename)
      if (arrived === undefined || arrived.size < upload.size) throw new AppError('UPLOAD_INCOMPLETE')
      const { width, height } = await checkArrived(arrived, upload)
      // The copy can take long, so it runs before the statement that marks the file as stored.
      await arrived.keep()
      await checkStillAllowed(tokenHash)
      const file = await files.store({ tokenHash, holder }, { sha256: null, width, height })
      if (file === undefined) throw new AppError('TICKET_NOT_VALID')
      // Until here a retry can copy the object again. If the removal fails, the object is deleted together with the
      // file.
      await arrived.remove().catch(() => {})
      return storedFileOf(file)
    } catch (error) {
      if (isFinal(error)) {
        await arrived?.remove()
        await files.refuse(tokenHash, holder)
      } else await files.releaseTicket(tokenHash, holder, 0)
      throw error
    } finally {
      clearInterval(renewing)
    }
  }

  return { create, received, receive, complete }
}
export type UploadService = ReturnType<typeof createUploadService>

/** The stored name is random and contains no client input. */
export const newFilename = () => randomBytes(16).toString('hex')

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

interface Bytes {
  body: Readable
  /** The position after the last permitted byte. */
  end: number
  upload: HeldUpload
  /** Returns whether the upload may continue. */
  renew: (received: number) => Promise<boolean>
}

/** Writes the body until it ends. An interrupted body is UPLOAD_INCOMPLETE. */
async function takeBytes(part: Part, { body, end, upload, renew }: Bytes): Promise<void> {
  const looked = Math.min(upload.size, headBytes)
  let isChecked = false
  let refusal: AppError | undefined
  const stop = () => {
    refusal = new AppError('TICKET_NOT_VALID')
    body.destroy(refusal)
  }
  let renewing = Promise.resolve()
  const renewHold = async () => {
    const bytes = part.position()
    await part.sync()
    if (!(await renew(bytes))) stop()
  }
  // A failed renewal is retried. The final statement decides whether the ticket is still valid.
  const renewals = setInterval(() => {
    renewing = renewing.then(renewHold).catch(() => {})
  }, renewal)
  const deadline = setTimeout(stop, upload.left)

  async function check(): Promise<void> {
    if (isChecked || part.position() < looked) return
    isChecked = true
    await checkHead(await part.head(looked), upload.contentType)
  }
  try {
    for await (const chunks of inBatches(body, writtenAtOnce)) {
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      if (part.position() + length > end) throw new AppError('FILE_TOO_LARGE')
      await part.write(chunks, { isLastUse: true })
      await check()
    }
    await check()
  } catch (error) {
    if (refusal !== undefined) throw refusal
    // Aborted by the client, or by the server because no bytes arrived.
    if (error instanceof AppError || !body.destroyed) throw error
    await part.sync()
    throw new AppError('UPLOAD_INCOMPLETE')
  } finally {
    clearInterval(renewals)
    clearTimeout(deadline)
    await renewing
  }
}

async function checkArrived(
  arrived: ArrivedUpload,
  { size, contentType }: HeldUpload,
): Promise<{ width: number | null; height: number | null }> {
  if (arrived.size > size) throw new AppError('FILE_TOO_LARGE')
  await checkHead(await arrived.head(Math.min(size, headBytes)), contentType)
  const measured =
    measuredFormat(contentType) !== undefined
      ? await arrived.withPath((path) => measure(path, contentType))
      : null
  return measured ?? { width: null, height: null }
}
