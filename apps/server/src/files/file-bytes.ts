import type { Readable } from 'node:stream'

/** The bytes of a complete file, on this machine or in a store that is read in ranges. */
export interface FileBytes {
  size: number
  /** Returns at most `length` bytes; fewer at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
}

const blockBytes = 64 * 1024

/** Blocks that one inspection reads. A format names its parts within a few of them, and a hostile file could name more. */
const blocksMost = 512

/** A file names more parts than those of its format do. */
export class TooManyParts extends Error {}

/** Reads a file that can only be read from its start, such as an entry of an archive: a read further back opens it again. */
export function bytesOfStream(
  size: number,
  open: () => Promise<Readable>,
): FileBytes & { close: () => void } {
  let stream: Readable | undefined
  let parts: AsyncIterator<Buffer> | undefined
  let position = 0
  let rest: Buffer = Buffer.alloc(0)
  const close = () => void stream?.destroy()

  /** Takes at most `most` bytes; none at the end. */
  async function next(most: number): Promise<Buffer> {
    if (rest.length === 0) rest = ((await parts?.next())?.value as Buffer | undefined) ?? rest
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    position += taken.length
    return taken
  }

  return {
    size,
    close,
    async read(start, length) {
      if (parts === undefined || start < position) {
        close()
        stream = await open()
        parts = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
        position = 0
        rest = Buffer.alloc(0)
      }
      while (position < start && (await next(start - position)).length > 0);
      const read: Buffer[] = []
      for (let left = length; left > 0; ) {
        const part = await next(left)
        if (part.length === 0) break
        read.push(part)
        left -= part.length
      }
      return Buffer.concat(read)
    },
  }
}

/** Reads in blocks and keeps the latest one: parsers read a few bytes at a time, and each read of a store is a call. */
export function inBlocks({ size, read }: FileBytes): FileBytes {
  let latest: { start: number; block: Promise<Buffer> } | undefined
  let count = 0
  function blockAt(start: number): Promise<Buffer> {
    if (latest?.start === start) return latest.block
    count += 1
    if (count > blocksMost) throw new TooManyParts()
    const block = read(start, Math.min(blockBytes, size - start))
    latest = { start, block }
    return block
  }
  return {
    size,
    async read(start, length) {
      const end = Math.min(start + length, size)
      const parts: Buffer[] = []
      for (let at = start; at < end; ) {
        const first = at - (at % blockBytes)
        const part = (await blockAt(first)).subarray(at - first, end - first)
        if (part.length === 0) break
        parts.push(part)
        at += part.length
      }
      return Buffer.concat(parts)
    },
  }
}
