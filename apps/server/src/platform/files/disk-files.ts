import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
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
import { inBatches, writtenAtOnce } from './batches.ts'
import { type FileDriver, FileMissing, type Part, type WriteOptions } from './file-driver.ts'

const namePattern = /^[0-9a-f]{32}$/

/**
 * Stores files in a folder of this machine or one that the nodes share. A file grows as a part, is synced, and only
 * then renamed to its final name, so that final names always have complete content.
 */
export function createDiskFiles(
  folder: string,
  /** Throws before bytes are written that would use the reserve of the disk. */
  admit: (bytes: number) => Promise<void> = async () => {},
): FileDriver {
  const partFolder = join(folder, 'parts')
  const keptFolder = join(folder, 'kept')

  /** 256 subfolders keep each folder short. */
  const folderOf = (name: string) => join(keptFolder, checked(name).slice(0, 2))
  const pathOf = (name: string) => join(folderOf(name), checked(name))
  const partOf = (name: string) => join(partFolder, checked(name))

  /** Rejects if this process may not read, write and delete files. The first file creates the folders. */
  async function requireAccess(): Promise<void> {
    for (const place of [folder, partFolder, keptFolder])
      await access(place, constants.R_OK | constants.W_OK | constants.X_OK).catch(unlessMissing)
  }

  async function openPart(name: string, offset: number): Promise<Part> {
    await makeFolder(partFolder)
    const path = partOf(name)
    // Opened without truncation: received bytes remain.
    const openHandle = () => open(path, offset === 0 ? 'w+' : 'r+', 0o600)
    const handle = await openHandle()
      .catch(async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
        // A complete upload was moved, and the database then failed to mark it as stored.
        await rename(pathOf(name), path)
        return openHandle()
      })
      .catch(refuseMissing)
      .catch(refuseFullDisk)
    try {
      if ((await handle.stat()).size < offset) throw new FileMissing()
      await handle.truncate(offset)
    } catch (error) {
      await handle.close()
      throw error
    }
    // The digest of a resumed upload is computed at the end, from the whole file.
    const hash = offset === 0 ? createHash('sha256') : undefined
    let position = offset

    // The disk writes one portion while the next one arrives and is hashed.
    let writing: Promise<unknown> = Promise.resolve()

    return {
      path,
      position: () => position,

      async write(chunks, { isLastUse = false } = {}) {
        await writing
        const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        await admit(length)
        const start = position
        position += length
        writing = writeAll(handle, chunks, start)
          .then(() => isLastUse && freeMemory(chunks))
          .catch(refuseFullDisk)
        // The next call reports the error.
        writing.catch(() => {})
        for (const chunk of chunks) hash?.update(chunk)
      },

      async head(length) {
        await writing
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
        return buffer.subarray(0, bytesRead)
      },

      async sync() {
        await writing
        await handle.datasync().catch(refuseFullDisk)
      },

      async finish() {
        await writing
        await handle.sync().catch(refuseFullDisk)
        return { size: position, sha256: await digestOf(hash, path) }
      },

      async keep() {
        const place = folderOf(name)
        await makeFolder(place)
        await rename(path, pathOf(name)).catch(refuseFullDisk)
        await syncFolder(place)
      },

      async close() {
        await writing.catch(() => {})
        await handle.close()
      },
    }
  }

  async function removePart(name: string): Promise<void> {
    await rm(partOf(name), { force: true })
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
    const known = await readFile(path, 'utf8').catch(unlessMissing)
    if (known !== undefined) return known
    await makeFolder(folder)
    const temporary = `${path}.${randomUUID()}`
    await writeFile(temporary, randomUUID(), { mode: 0o600 }).catch(refuseFullDisk)
    // Of several nodes that start concurrently, one creates the name.
    await link(temporary, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    await rm(temporary)
    return readFile(path, 'utf8')
  }

  return {
    write,

    async read(name, range) {
      const handle = await open(pathOf(name), 'r').catch(refuseMissing)
      return createReadStream('', { fd: handle, ...range, highWaterMark: 256 * 1024 })
    },

    async remove(name) {
      await rm(pathOf(name), { force: true })
      await removePart(name)
    },

    async *olderThan(age) {
      const folders = [partFolder, ...(await entriesOf(keptFolder)).map((entry) => join(keptFolder, entry))]
      for (const place of folders) {
        const old: string[] = []
        for (const entry of await entriesOf(place)) {
          if (!namePattern.test(entry)) continue
          const known = await stat(join(place, entry)).catch(() => undefined)
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
      return probeDisk(folder).catch(async (error: unknown) => {
        unlessMissing(error)
        return probeDisk(dirname(folder))
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

async function makeFolder(path: string): Promise<void> {
  await createFolder(path, 0o700).catch(refuseFullDisk)
}

async function entriesOf(path: string): Promise<string[]> {
  return readdir(path).catch(() => [])
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

async function digestOf(hash: Hash | undefined, path: string): Promise<Buffer> {
  if (hash !== undefined) return hash.digest()
  const whole = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: writtenAtOnce }))
    whole.update(chunk as Buffer)
  return whole.digest()
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
