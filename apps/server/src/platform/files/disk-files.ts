import { createHash, randomUUID } from 'node:crypto'
import {
  access,
  constants,
  copyFile,
  type FileHandle,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { createGate } from '../places/gate.ts'
import { createOwnedFolder, giveFile } from '../places/owner.ts'
import { lostShareCodes } from '../places/place-fault.ts'
import type { StoreNotes } from '../places/place-marks.ts'
import { readThrough } from '../places/read-through.ts'
import { readSpace } from '../places/space.ts'
import { syncFolder } from '../places/sync-folder.ts'
import { inBatches, writtenAtOnce } from './batches.ts'
import { type FileDriver, FileMissing, type Part, type WriteOptions } from './file-driver.ts'
import { FileStoreFault, noAnswerFault, storeUnavailable } from './file-store-fault.ts'
import { lostMarkFault, noInodesFault, readOnlyFault } from './folder-faults.ts'

const namePattern = /^[0-9a-f]{32}$/

/** Milliseconds that the folder may take to answer a call. A disk that wakes up needs several seconds. */
const usualPatience = 10_000

/** Bytes of one read for a client. */
const readAtOnce = 256 * 1024

interface DiskFilesOptions {
  patience?: number
  /** Without it, the driver knows only the mark that it has found itself. */
  notes?: StoreNotes | undefined
}

const noNotes: StoreNotes = {
  read: async () => ({ mark: undefined, hasFiles: false }),
  write: async () => {},
}

/**
 * Stores files in a folder of this machine or one that the nodes share. A file grows as a part, is synced, and only
 * then renamed to its final name, so that final names always have complete content. The folder has a mark, its id: a
 * folder without the known mark, such as one whose disk is not mounted, receives no file.
 */
export function createDiskFiles(
  folder: string,
  /** Throws before bytes are written that would use the reserve of the disk. */
  admit: (bytes: number) => Promise<void> = async () => {},
  { patience = usualPatience, notes = noNotes }: DiskFilesOptions = {},
): FileDriver {
  const gate = createGate({ patience, fault: () => storeUnavailable(noAnswerFault()) })
  const partFolder = join(folder, 'parts')
  const keptFolder = join(folder, 'kept')

  /** 256 subfolders keep each folder short. */
  const folderOf = (name: string) => join(keptFolder, checked(name).slice(0, 2))
  const pathOf = (name: string) => join(folderOf(name), checked(name))
  const partOf = (name: string) => join(partFolder, checked(name))

  const makeFolder = (path: string) =>
    gate.attempt(() => createOwnedFolder(path, 0o700)).catch(refuseFullDisk)

  const entriesOf = (path: string) => gate.attempt(() => readdir(path)).catch((): string[] => [])

  /** Rejects if this process may not read, write and delete files. The first file creates the folders. */
  async function requireAccess(): Promise<void> {
    for (const place of [folder, partFolder, keptFolder])
      await gate
        .attempt(() => access(place, constants.R_OK | constants.W_OK | constants.X_OK))
        .catch(unlessMissing)
  }

  /** Rejects if the folder can hold no further file. */
  async function requireInodes(): Promise<void> {
    const space = await gate.attempt(() => readSpace(folder)).catch(unlessMissing)
    if (space?.inodes === 0) throw noInodesFault(folder)
  }

  async function openPart(name: string, offset: number): Promise<Part> {
    await requireStore()
    await makeFolder(partFolder).catch(refuseLost)
    const path = partOf(name)
    // Opened without truncation: received bytes remain, and a late answer changes nothing.
    const flags = constants.O_RDWR | constants.O_NOFOLLOW | (offset === 0 ? constants.O_CREAT : 0)
    const openHandle = () => gate.attempt(() => openOwned(path, flags, partFolder), gate.close)
    const handle = await openHandle()
      .catch(async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
        // A complete upload was moved, and the database then failed to mark it as stored.
        await gate.finish(() => rename(pathOf(name), path))
        return openHandle()
      })
      .catch(refuseMissing)
      .catch(refuseLost)
      .catch(refuseFullDisk)
    try {
      if ((await gate.attempt(() => handle.stat())).size < offset) throw new FileMissing()
      await gate.finish(() => handle.truncate(offset))
    } catch (error) {
      await gate.close(handle)
      throw error
    }
    // The digest of a resumed upload is computed at the end, from the whole file.
    const hash = offset === 0 ? createHash('sha256') : undefined
    let position = offset

    // The disk writes one portion while the next one arrives and is hashed.
    let writing: Promise<unknown> = Promise.resolve()

    return {
      position: () => position,

      async write(chunks, { isLastUse = false } = {}) {
        await writing
        const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        await admit(length)
        const start = position
        position += length
        writing = gate
          .finish(() => writeAll(handle, chunks, start))
          .then(() => isLastUse && freeMemory(chunks))
          .catch(refuseFullDisk)
        // The next call reports the error.
        writing.catch(() => {})
        for (const chunk of chunks) hash?.update(chunk)
      },

      async read(start, length) {
        await writing
        const { buffer, bytesRead } = await gate.attempt(() =>
          handle.read(Buffer.alloc(length), 0, length, start),
        )
        return buffer.subarray(0, bytesRead)
      },

      async withPath(read) {
        await writing
        return gate.attempt(() => read(path))
      },

      async sync() {
        await writing
        await gate.attempt(() => handle.datasync()).catch(refuseFullDisk)
      },

      async finish() {
        await writing
        await gate.attempt(() => handle.sync()).catch(refuseFullDisk)
        return { size: position, sha256: hash?.digest() ?? (await digestOf(path)) }
      },

      async keep() {
        await requireStore()
        const place = folderOf(name)
        await makeFolder(place)
        await gate.finish(() => rename(path, pathOf(name))).catch(refuseFullDisk)
        await gate.attempt(() => syncFolder(place))
      },

      async close() {
        await writing.catch(() => {})
        await gate.close(handle)
      },
    }
  }

  const removeFile = (path: string) => gate.attempt(() => rm(path, { force: true }))
  const removePart = (name: string) => removeFile(partOf(name))

  const openToRead = (path: string) => gate.attempt(() => open(path, 'r'), gate.close)

  async function digestOf(path: string): Promise<Buffer> {
    const whole = createHash('sha256')
    const content = readThrough(gate, await openToRead(path), { highWaterMark: writtenAtOnce })
    for await (const chunk of content) whole.update(chunk as Buffer)
    return whole.digest()
  }

  async function write(name: string, content: Readable, options: WriteOptions) {
    const part = await openPart(name, 0)
    try {
      for await (const chunks of inBatches(withSignal(content, options.signal), writtenAtOnce)) {
        await part.write(chunks)
        if (part.position() > options.most) throw options.tooLong()
      }
      options.signal?.throwIfAborted()
      const written = await part.finish()
      await part.keep()
      return written
    } catch (error) {
      content.destroy()
      await removePart(name)
      throw error
    } finally {
      await part.close()
    }
  }

  const markPath = join(folder, 'store-id')
  /** The mark that this process has found. */
  let knownMark: string | undefined

  /** Returns undefined for a missing mark, and for an empty one, which a power cut may leave. */
  async function readMark(): Promise<string | undefined> {
    const text = await gate.attempt(() => readFile(markPath, 'utf8')).catch(unlessMissing)
    return text?.trim() || undefined
  }

  async function makeMark(): Promise<string> {
    await makeFolder(folder)
    const mark = randomUUID()
    const temporary = `${markPath}.${randomUUID()}`
    try {
      await gate.attempt(() => writeDurably(temporary, mark, folder)).catch(refuseFullDisk)
      // Of several nodes that start concurrently, one creates the name.
      await gate.attempt(() => linkOrCopy(temporary, markPath)).catch(unlessExisting)
      if ((await readMark()) === undefined) await gate.finish(() => rename(temporary, markPath))
      await gate.attempt(() => syncFolder(folder))
    } finally {
      await removeFile(temporary)
    }
    return (await readMark()) ?? mark
  }

  /**
   * Returns the mark of the folder, and makes it for a new one. Throws a {@link FileStoreFault} if the folder lacks the
   * mark that this process has found or the installation knows. With `isReading`, it makes no mark.
   */
  async function requireMark({ isReading = false } = {}): Promise<string | undefined> {
    const found = await readMark()
    const lost = (mark: string | undefined) =>
      lostMarkFault({ folder, path: markPath, isMissing: found === undefined, mark })
    if (knownMark !== undefined) {
      if (found !== knownMark) throw lost(knownMark)
      return found
    }
    const { mark: noted, hasFiles } = await notes.read()
    const isForeign = found === undefined || (noted !== undefined && found !== noted)
    if (hasFiles && isForeign) throw lost(noted)
    if (isReading) return found
    const mark = found ?? (await makeMark())
    if (mark !== noted) await notes.write(mark)
    knownMark = mark
    return mark
  }

  /** Throws BUSY if the folder is not the one with the files, so that they neither seem deleted nor go astray. */
  const requireStore = (options?: { isReading: boolean }) =>
    requireMark(options).catch((error: unknown) => {
      throw error instanceof FileStoreFault || isOfLostShare(error) ? storeUnavailable(error) : error
    })

  /** Throws BUSY for an error of a share that is gone or of a read-only file system, and any other error unchanged. */
  function refuseLost(error: unknown): never {
    if (codeOf(error) === 'EROFS') throw storeUnavailable(readOnlyFault(folder, error))
    throw isOfLostShare(error) ? storeUnavailable(error) : error
  }

  /** Throws FileMissing for a missing file, unless the whole store is missing. */
  async function refuseMissing(error: unknown): Promise<never> {
    if (codeOf(error) !== 'ENOENT') return refuseLost(error)
    await requireStore({ isReading: true })
    throw new FileMissing()
  }

  return {
    write,

    async read(name, range) {
      const handle = await openToRead(pathOf(name)).catch(refuseMissing)
      return readThrough(gate, handle, { ...range, highWaterMark: readAtOnce })
    },

    async remove(name) {
      await removeFile(pathOf(name))
      await removePart(name)
    },

    async *olderThan(age) {
      const folders = [partFolder, ...(await entriesOf(keptFolder)).map((entry) => join(keptFolder, entry))]
      for (const place of folders) {
        const old: string[] = []
        for (const entry of await entriesOf(place)) {
          if (!namePattern.test(entry)) continue
          const known = await gate.attempt(() => stat(join(place, entry))).catch(() => undefined)
          if (known !== undefined && Date.now() - known.mtimeMs > age) old.push(entry)
        }
        if (old.length > 0) yield old
      }
    },

    async identify() {
      try {
        return (await requireMark()) ?? ''
      } catch (error) {
        if (!(error instanceof FileStoreFault)) throw error
        throw new Error(`${error.what.de}. ${error.fix.de}`, { cause: error })
      }
    },

    async check({ isReading = false } = {}) {
      try {
        await requireInodes()
        await requireMark({ isReading })
        await requireAccess()
      } catch (error) {
        throw codeOf(error) === 'EROFS' ? readOnlyFault(folder, error) : error
      }
    },

    async space({ isReading = false } = {}) {
      if (isReading) await requireAccess()
      else {
        await requireStore()
        await makeFolder(partFolder)
      }
      return gate
        .attempt(() => readSpace(folder))
        .catch(async (error: unknown) => {
          unlessMissing(error)
          return gate.attempt(() => readSpace(dirname(folder)))
        })
    },

    uploads: { kind: 'parts', open: openPart, remove: removePart },
  }
}

/** Names of any other form are rejected. */
function checked(name: string): string {
  if (!namePattern.test(name)) throw new FileMissing()
  return name
}

/**
 * Writes all bytes. A file system writes less than requested when the disk is nearly full; the next write then
 * reports it.
 */
async function writeAll(handle: FileHandle, chunks: readonly Buffer[], start: number): Promise<void> {
  let place = start
  let left = [...chunks]
  while (left.length > 0) {
    const { bytesWritten } = await handle.writev(left, place)
    place += bytesWritten
    left = after(left, bytesWritten)
  }
}

/**
 * Frees memory immediately. Otherwise the garbage collector scans the whole heap for every few megabytes of a large
 * upload, which takes longer than the writing.
 */
function freeMemory(chunks: readonly Buffer[]): void {
  for (const { buffer, length } of chunks) {
    // A buffer that is a slice of a larger one may share its memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
  }
}

function after(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let skipped = bytes
  const left: Buffer[] = []
  for (const chunk of chunks) {
    if (skipped >= chunk.length) skipped -= chunk.length
    else {
      left.push(chunk.subarray(skipped))
      skipped = 0
    }
  }
  return left
}

/** Opens a file, which belongs to the owner of its folder if this call creates it. */
async function openOwned(path: string, flags: string | number, folder: string): Promise<FileHandle> {
  const handle = await open(path, flags, 0o600)
  try {
    await giveFile(handle, folder)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Writes a new file that a power cut does not empty. */
async function writeDurably(path: string, content: string, folder: string): Promise<void> {
  const file = await openOwned(path, 'wx', folder)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** File systems such as FAT have no links. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Gives a file a second name, unless that name exists. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

function withSignal(content: Readable, signal: AbortSignal | undefined): Readable {
  const end = () => content.destroy(signal?.reason as Error)
  if (signal?.aborted === true) end()
  signal?.addEventListener('abort', end, { once: true })
  content.once('close', () => signal?.removeEventListener('abort', end))
  return content
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Returns whether the folder does not work now: its share is gone, or its disk fails. */
const isOfLostShare = (error: unknown) =>
  [...lostShareCodes, 'EIO', 'ETIMEDOUT'].includes(codeOf(error) ?? '')

/** Throws DISK_FULL for an error of a full disk or quota, and any other error unchanged. */
export function refuseFullDisk(error: unknown): never {
  const code = codeOf(error)
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
  const refusal = new AppError('DISK_FULL')
  refusal.cause = error
  throw refusal
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function unlessExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
