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
import type { ProjectService } from '../projects/project.service.ts'
import { isTaskDriver, type TaskDriver } from '../tasks/tokens/task-driver.ts'
import { checkHead, headBytes, measure } from './content-check.ts'
import { createFileRepository, type HeldUpload, storedFileOf, type Uploader } from './file.repository.ts'
import { displayName } from './file-name.ts'
import { isAccepted, measuredFormat } from './media-types.ts'
import { checkSpace, type SpaceLimits } from './space.ts'

interface UploadParts {
  db: Kysely<Database>
  driver: FileDriver
  findProject: ProjectService['read']
  space: SpaceLimits
}

/** Bytes as they come in. */
export interface IncomingBytes {
  contentType: string
  /** What the headers say; undefined for a body whose length is not announced. */
  length: number | undefined
  /** Of a body that goes on where another one broke off. */
  range: { first: number; last: number; size: number } | undefined
  body: Readable
}

/** Half of the time after which another upload may go on with the ticket, and again half of that. */
const renewal = 5000

/** How files come in: an address to put one to, its bytes, and what they are. */
export function createUploadService({ db, driver, findProject, space }: UploadParts) {
  const files = createFileRepository(db)
  const { uploads } = driver

  /** A service brings files for its project alone. */
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
    const free = await driver.freeSpace()
    if (free !== undefined && free < size) throw new AppError('DISK_FULL')

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
          message: 'Too many files of yours are on their way. Please try again later',
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

  /** Whoever got a ticket for a project may have lost the project since. A service loses its tickets with its token. */
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
      throw error instanceof AppError ? new AppError('TICKET_NOT_VALID') : error
    })
  }

  /** Of an upload through this server. */
  async function received(token: string): Promise<{ received: number; size: number }> {
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
    if (upload === 'held') throw new AppError('UPLOAD_RUNNING')
    return upload
  }

  /** Takes the bytes that are put to a ticket. What breaks off is kept for whoever goes on, what is refused is not. */
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
      if (part.position() < upload.size) {
        await part.sync()
        throw new AppError('UPLOAD_INCOMPLETE')
      }
      const { sha256 } = await part.finish()
      const size = await measure(part.path, upload.contentType)
      const { width, height } = size ?? { width: null, height: null }
      const whole = part
      await checkStillAllowed(tokenHash)
      const stored = await db.transaction().execute(async (trx) => {
        const measured = { sha256, width, height }
        const file = await createFileRepository(trx).store({ tokenHash, holder }, measured)
        if (file === undefined) throw new AppError('TICKET_NOT_VALID')
        // Last of all: when the transaction fails after it, the upload begins anew and takes this one's place.
        await whole.keep()
        return file
      })
      return storedFileOf(stored)
    } catch (error) {
      await giveUp(error, part, { upload, tokenHash, holder })
      throw error instanceof FileMissing ? new AppError('UPLOAD_INCOMPLETE') : error
    } finally {
      await part?.close()
    }
  }

  /** Leaves the ticket as it should be found: with what is there, with nothing, or not at all. */
  async function giveUp(
    error: unknown,
    part: Part | undefined,
    { upload, tokenHash, holder }: { upload: HeldUpload; tokenHash: Buffer; holder: string },
  ): Promise<void> {
    if (part === undefined) {
      return files.letGo(tokenHash, holder, error instanceof FileMissing ? 0 : upload.received)
    }
    if (error instanceof AppError && error.code === 'UPLOAD_INCOMPLETE') {
      return files.letGo(tokenHash, holder, part.position())
    }
    if (uploads.kind === 'parts') await uploads.remove(upload.filename)
    if (isFinal(error)) return files.refuse(tokenHash, holder)
    return files.letGo(tokenHash, holder, 0)
  }

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
    const arrived = await uploads.arrived(filename)
    try {
      if (arrived === undefined || arrived.size < upload.size) throw new AppError('UPLOAD_INCOMPLETE')
      const { width, height } = await checkArrived(arrived, upload)
      await checkStillAllowed(tokenHash)
      const file = await db.transaction().execute(async (trx) => {
        const measured = { sha256: null, width, height }
        const found = await createFileRepository(trx).store({ tokenHash, holder }, measured)
        if (found === undefined) throw new AppError('TICKET_NOT_VALID')
        await arrived.keep()
        return found
      })
      return storedFileOf(file)
    } catch (error) {
      if (isFinal(error)) {
        await arrived?.remove()
        await files.refuse(tokenHash, holder)
      } else await files.letGo(tokenHash, holder, 0)
      throw error
    }
  }

  return { create, received, receive, complete }
}
export type UploadService = ReturnType<typeof createUploadService>

/** Under which the bytes are kept: nothing of what a client says is in it. */
export const newFilename = () => randomBytes(16).toString('hex')

/** Another try with the same bytes would end the same way. */
const isFinal = (error: unknown) =>
  error instanceof AppError && ['FILE_TOO_LARGE', 'CONTENT_MISMATCH', 'IMAGE_TOO_LARGE'].includes(error.code)

/** Where the bytes begin and end that may come now. Says no before any of them is read. */
function placeOf(
  { contentType, length, range }: IncomingBytes,
  upload: HeldUpload,
): { first: number; end: number } {
  if (contentType.split(';')[0]?.trim().toLowerCase() !== upload.contentType) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: {
        de: 'The file is of another type than was announced',
        'de-DE': 'Die Datei hat einen anderen Typ als angekündigt',
      },
    })
  }
  const { first, last, size } = range ?? { first: 0, last: upload.size - 1, size: upload.size }
  if (size !== upload.size || last >= size || first > last + 1) {
    throw new AppError('VALIDATION_FAILED', { message: 'The range is not one of this file' })
  }
  if (range !== undefined && first !== upload.received) throw new AppError('UPLOAD_INCOMPLETE')
  if (length !== undefined && length > last + 1 - first) throw new AppError('FILE_TOO_LARGE')
  return { first, end: last + 1 }
}

interface Bytes {
  body: Readable
  /** The place behind the last byte that may come. */
  end: number
  upload: HeldUpload
  /** Answers whether the upload may go on. */
  renew: (received: number) => Promise<boolean>
}

/** Writes what comes until it ends. A body that breaks off is one that is incomplete. */
async function takeBytes(part: Part, { body, end, upload, renew }: Bytes): Promise<void> {
  const looked = Math.min(upload.size, headBytes)
  let isChecked = false
  let refusal: AppError | undefined
  const stop = () => {
    refusal = new AppError('TICKET_NOT_VALID')
    body.destroy(refusal)
  }
  let renewing = Promise.resolve()
  const sayAlive = async () => {
    const bytes = part.position()
    await part.sync()
    if (!(await renew(bytes))) stop()
  }
  // A database that is away for a moment is asked again; in the end it decides whether the ticket still counts.
  const alive = setInterval(() => {
    renewing = renewing.then(sayAlive).catch(() => {})
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
    // What a stream throws whose other end has gone away.
    if (error instanceof AppError || !body.errored) throw error
    await part.sync()
    throw new AppError('UPLOAD_INCOMPLETE')
  } finally {
    clearInterval(alive)
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
