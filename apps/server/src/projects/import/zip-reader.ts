import { Readable } from 'node:stream'
import { type TaskMessage, taskMessageOf, withReason } from '@pult/contract'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { AppError } from '#platform/app-error.ts'

/** A file that supports range reads; both ends are inclusive. */
export interface RangedFile {
  /** Bytes. */
  size: number
  open(range: { start: number; end: number }): Promise<Readable>
}

export interface ZipLimits {
  entries: number
  /**
   * Returns whether the format defines this name. All other names are refused, including paths that lead out of the
   * archive.
   */
  isKnown(path: string): boolean
}

export interface OpenZip {
  /** Entries by name, with the decompressed size in bytes. */
  entries: ReadonlyMap<string, { size: number }>
  /** Returns the decompressed content as a stream. It fails if the content does not match the archive's headers. */
  read(path: string): Promise<Readable>
  close(): void
}

/** yauzl reads the directory in small pieces; the store is read in larger blocks. */
const blockSize = 256 * 1024

/** Maximum compression ratio. Records of a project stay far below, and pictures are already compressed. */
const ratioMost = 100
const unpackedFree = 16 * 1024 * 1024

const symbolicLink = 0o120000
const fileTypeMask = 0o170000
const stored = 0
const deflated = 8

/** Returns the error for a faulty archive. */
export const refusal = (reason: TaskMessage): AppError =>
  new AppError('CONTENT_MISMATCH', { taskMessage: withReason('not-an-export', {}, reason) })

/** Reads ranges of a file for yauzl. Distinguishes read errors from faults of the archive. */
class RangeReader extends RandomAccessReader {
  failure: unknown
  readonly #file: RangedFile
  #block: { start: number; content: Buffer } = { start: 0, content: Buffer.alloc(0) }

  constructor(file: RangedFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end))
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#answer(buffer.subarray(offset, offset + length), position, callback)
  }

  async #answer(target: Buffer, position: number, callback: (error: Error | null) => void): Promise<void> {
    let failure: Error | null = null
    try {
      ;(await this.#fill(position, target.length)).copy(target)
    } catch (error) {
      failure = error as Error
    }
    // Errors of the consumer are not faults of this reader.
    callback(failure)
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Buffer> {
    if (end <= start) return
    try {
      yield* (await this.#file.open({ start, end: end - 1 })) as AsyncIterable<Buffer>
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    const { start, content } = this.#block
    if (position >= start && position + length <= start + content.length)
      return content.subarray(position - start, position - start + length)
    const parts: Buffer[] = []
    const end = Math.min(this.#file.size, position + Math.max(length, blockSize))
    for await (const part of this.#bytes(position, end)) parts.push(part)
    const read = Buffer.concat(parts)
    if (read.length < length) throw new Error('the file ends too early')
    this.#block = { start: position, content: read }
    return read.subarray(0, length)
  }
}

/**
 * Opens an untrusted ZIP. Rejects archives that no export produces: unknown or duplicate names, links, encrypted
 * entries, overlapping entries, and more or larger entries than the limits.
 */
export async function openZip(file: RangedFile, limits: ZipLimits): Promise<OpenZip> {
  const reader = new RangeReader(file)
  const explain = (error: unknown): unknown => {
    if (error instanceof AppError) return error
    return (
      reader.failure ??
      refusal(
        taskMessageOf('zip-damaged', {
          fault: error instanceof Error ? error.message : 'the ZIP file is damaged',
        }),
      )
    )
  }

  const zip = await fromRandomAccessReaderPromise(reader, file.size, {
    autoClose: false,
    lazyEntries: true,
    strictFileNames: true,
  }).catch((error: unknown) => {
    throw explain(error)
  })
  try {
    if (zip.entryCount > limits.entries)
      throw refusal(taskMessageOf('entries-too-many', { most: limits.entries }))
    const entries = new Map<string, Entry>()
    let packed = 0
    let unpacked = 0
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName
      if (!limits.isKnown(path)) throw refusal(taskMessageOf('entry-not-known', { path: shown(path) }))
      if (entries.has(path)) throw refusal(taskMessageOf('entry-repeated', { path }))
      if (entry.isEncrypted()) throw refusal(taskMessageOf('entry-encrypted', { path }))
      if (((entry.externalFileAttributes >>> 16) & fileTypeMask) === symbolicLink)
        throw refusal(taskMessageOf('entry-is-link', { path }))
      if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated)
        throw refusal(taskMessageOf('entry-compression', { path }))
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      entries.set(path, entry)
    }
    if (packed > file.size) throw refusal(taskMessageOf('entries-overlap'))
    if (unpacked > unpackedFree + packed * ratioMost) throw refusal(taskMessageOf('zip-too-large'))

    return {
      entries: new Map(
        [...entries].map(([path, { uncompressedSize }]) => [path, { size: uncompressedSize }]),
      ),

      async read(path) {
        const entry = entries.get(path)
        if (entry === undefined) throw refusal(taskMessageOf('entry-missing', { path }))
        const content = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
          throw explain(error)
        })
        return Readable.from(explained(content, explain))
      },

      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw explain(error)
  }
}

async function* explained(content: Readable, explain: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>
  } catch (error) {
    throw explain(error)
  }
}

/** Returns an untrusted name for messages: shortened to one line and without control characters. */
const shown = (path: string) => path.replace(/\p{C}/gu, '?').slice(0, 80)
