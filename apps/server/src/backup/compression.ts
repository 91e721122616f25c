import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'

/*
 * Zstandard, before the encryption, because encrypted bytes cannot be compressed: https://www.rfc-editor.org/rfc/rfc8878
 */

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Errors of the content end the returned stream, and its end ends the content. */
export function compressed(content: AsyncIterable<Uint8Array>): Readable {
  return pipeline(Readable.from(content, { objectMode: false }), createZstdCompress(), () => {})
}

/** Reads content that may be compressed: archives of earlier versions are not. */
export async function* decompressed(content: Readable): AsyncGenerator<Uint8Array> {
  const chunks = (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < magic.length) {
    const next = await chunks.next()
    if (next.done === true) break
    start = Buffer.concat([start, next.value])
  }
  async function* whole() {
    yield start
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  if (!start.subarray(0, magic.length).equals(magic)) {
    yield* whole()
    return
  }
  yield* pipeline(Readable.from(whole(), { objectMode: false }), createZstdDecompress(), () => {})
}
