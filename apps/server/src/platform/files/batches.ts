import type { Readable } from 'node:stream'

/**
 * Bytes per write. Larger portions exceed the processor's caches and allocate new memory each time, which takes twice
 * as long.
 */
export const writtenAtOnce = 128 * 1024

/**
 * Groups the chunks of a stream into portions of about this size. A broken stream yields all received bytes. The
 * stream stays open when the reader stops, because a rejected request is still answered on the same connection.
 */
export async function* inBatches(content: Readable, bytes: number): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = []
  let size = 0
  let failure: { error: unknown } | undefined
  try {
    for await (const piece of content.iterator({ destroyOnReturn: false })) {
      const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece as Uint8Array | string)
      batch.push(chunk)
      size += chunk.length
      if (size < bytes) continue
      yield batch
      batch = []
      size = 0
    }
  } catch (error) {
    failure = { error }
  }
  if (size > 0) yield batch
  if (failure !== undefined) throw failure.error
}
