import { createHash } from 'node:crypto'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Facts about an entry that are known after it was written. */
export interface WrittenEntry {
  path: string
  /** Bytes. */
  size: number
  sha256: string
}

interface EntryOptions {
  /** Size in bytes of content that is already compressed, such as pictures, and is stored as it is. */
  packedSize?: number
  onBytes?: (count: number) => void
}

/** A constant time, so that exports of equal records are equal. */
const mtime = new Date('2000-01-01T00:00:00Z')

/**
 * Streams a ZIP one entry at a time, without buffering entries. If the reader stops, the writer stops; an error on
 * either side ends both.
 */
export function createZipWriter() {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.on('error', (error: Error) => output.destroy(error))
  const pumping = pipeline(zip.outputStream, output)
  // The reader of `output` receives the error.
  pumping.catch(() => {})

  return {
    output,

    /** Resolves once the entry has been read completely. */
    async add(
      path: string,
      content: Readable,
      { packedSize, onBytes }: EntryOptions = {},
    ): Promise<WrittenEntry> {
      if (output.destroyed) throw notRead(output)
      const hash = createHash('sha256')
      let size = 0
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          size += chunk.length
          onBytes?.(chunk.length)
          done(null, chunk)
        },
      })
      // An entry of unknown size could exceed the limit of the ZIP format without ZIP64.
      zip.addReadStream(
        counted,
        path,
        packedSize === undefined
          ? { mtime, forceZip64Format: true }
          : { mtime, compress: false, size: packedSize },
      )
      const stop = () => counted.destroy(notRead(output))
      output.once('close', stop)
      try {
        await pipeline(content, counted)
      } finally {
        output.off('close', stop)
      }
      return { path, size, sha256: hash.digest('hex') }
    },

    /** Ends the archive after the last entry. */
    async end(): Promise<void> {
      zip.end()
      await pumping
    },

    /** Destroys the output, because an incomplete archive is useless. */
    fail(error: unknown): void {
      output.destroy(error instanceof Error ? error : new Error(String(error)))
    },
  }
}

const notRead = ({ errored }: PassThrough) => errored ?? new Error('The reader of the ZIP has stopped')
export type ZipWriter = ReturnType<typeof createZipWriter>
