import { createHash } from 'node:crypto'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** What is known of an entry once it has been written. */
export interface WrittenEntry {
  path: string
  /** Bytes. */
  size: number
  sha256: string
}

interface EntryOptions {
  /** Of what is packed already, such as pictures, and is kept as it is: how many bytes it has. */
  packedSize?: number
  onBytes?: (count: number) => void
}

/** The same at every export of the same records, so that two of them can be compared. */
const mtime = new Date('2000-01-01T00:00:00Z')

/**
 * Writes a ZIP as it is read: one entry after the other, none of which is held. Whoever stops reading stops the writing,
 * and an error of either side ends both.
 */
export function createZipWriter() {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.on('error', (error: Error) => output.destroy(error))
  const pumping = pipeline(zip.outputStream, output)
  // Whoever reads is told of it.
  pumping.catch(() => {})

  return {
    output,

    /** Resolves once all of it has been taken. */
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
      // Of what nobody knows the size, it could be more than the older format has room for.
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

    /** No entry comes any more. */
    async end(): Promise<void> {
      zip.end()
      await pumping
    },

    /** What has been written so far is worth nothing. */
    fail(error: unknown): void {
      output.destroy(error instanceof Error ? error : new Error(String(error)))
    },
  }
}

const notRead = ({ errored }: PassThrough) => errored ?? new Error('Nobody reads the ZIP any more')
export type ZipWriter = ReturnType<typeof createZipWriter>
