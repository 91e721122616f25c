import { createHash, randomUUID } from 'node:crypto'
import {
  access,
  constants,
  type FileHandle,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import { createFolder } from '../create-folder.ts'
import { probeDisk } from '../disk-space.ts'
import { createGate } from '../places/gate.ts'
import { readThrough } from '../places/read-through.ts'
import { inBatches, writtenAtOnce } from './batches.ts'
import { type FileDriver, FileMissing, type Part, type WriteOptions } from './file-driver.ts'
import { noAnswerFault, storeUnavailable } from './file-store-fault.ts'

const namePattern = /^[0-9a-f]{32}$/

/** Milliseconds that the folder may take to answer a call. A disk that wakes up needs several seconds. */
const usualPatience = 10_000

/** Bytes of one read for a client. */
const readAtOnce = 256 * 1024

/**
 * Stores files in a folder of this machine or one that the nodes share. A file grows as a part, is synced, and only
 * then renamed to its final name, so that final names always have complete content.
 */
export function createDiskFiles(
  folder: string,
  /** Throws before bytes are written that would use the reserve of the disk. */
  admit: (bytes: number) => Promise<void> = async () => {},
  { patience = usualPatience } = {},
): FileDriver {
  const gate = createGate({ patience, fault: () => storeUnavailable(noAnswerFault()) })
  const partFolder = join(folder, 'parts')
  const keptFolder = join(folder, 'kept')

  /** 256 subfolders keep each folder short. */
  const folderOf = (name: string) => join(keptFolder, checked(name).slice(0, 2))
  const pathOf = (name: string) => join(folderOf(name), checked(name))
  const partOf = (name: string) => join(partFolder, checked(name))

  const makeFolder = (path: string) => gate.attempt(() => createFolder(path, 0o700)).catch(refuseFullDisk)

  const entriesOf = (path: string) => gate.attempt(() => readdir(path)).catch((): string[] => [])

  /** Rejects if this process may not read, write and delete files. The first file creates the folders. */
  async function requireAccess(): Promise<void> {
    for (const place of [folder, partFolder, keptFolder])
      await gate
        .attempt(() => access(place, constants.R_OK | constants.W_OK | constants.X_OK))
        .catch(unlessMissing)
  }

  async function openPart(name: string, offset: number): Promise<Part> {
    await makeFolder(partFolder)
    const path = partOf(name)
    // Opened without truncation: received bytes remain, and a late answer changes nothing.
    const flags = constants.O_RDWR | (offset === 0 ? constants.O_CREAT : 0)
    const openHandle = () => gate.attempt(() => open(path, flags, 0o600), gate.close)
    const handle = await openHandle()
      .catch(async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
        // A complete upload was moved, and the database then failed to mark it as stored.
        await gate.finish(() => rename(pathOf(name), path))
        return openHandle()
      })
      .catch(refuseMissing)
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

  async function identify(): Promise<string> {
    const path = join(folder, 'store-id')
    const readId = () => gate.attempt(() => readFile(path, 'utf8'))
    const known = await readId().catch(unlessMissing)
    if (known !== undefined) return known
    await makeFolder(folder)
    const temporary = `${path}.${randomUUID()}`
    await gate.attempt(() => writeFile(temporary, randomUUID(), { mode: 0o600 })).catch(refuseFullDisk)
    // Of several nodes that start concurrently, one creates the name.
    await gate
      .attempt(() => link(temporary, path))
      .catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    await removeFile(temporary)
    return readId()
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

    identify,

    async check({ isReading = false } = {}) {
      if (!isReading) await identify()
      await requireAccess()
    },

    async space({ isReading = false } = {}) {
      if (isReading) await requireAccess()
      else await makeFolder(partFolder)
      return gate
        .attempt(() => probeDisk(folder))
        .catch(async (error: unknown) => {
          unlessMissing(error)
          return gate.attempt(() => probeDisk(dirname(folder)))
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

/** Makes a rename durable: a name survives a power cut only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
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

function refuseMissing(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? new FileMissing() : error
}
