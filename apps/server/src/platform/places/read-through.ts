import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Gate } from './gate.ts'

interface ReadOptions {
  start?: number
  /** Inclusive. */
  end?: number
  /** Bytes of one read. */
  highWaterMark: number
}

/** Reads an open file through the gate of its folder, and closes it at the end. */
export function readThrough(
  gate: Gate,
  handle: FileHandle,
  { start = 0, end = Infinity, highWaterMark }: ReadOptions,
): Readable {
  let position = start

  async function readNext(stream: Readable, size: number): Promise<void> {
    try {
      const length = Math.min(size, end + 1 - position)
      const { buffer, bytesRead } = await gate.attempt(() =>
        handle.read(Buffer.allocUnsafeSlow(length), 0, length, position),
      )
      if (stream.destroyed) return
      position += bytesRead
      stream.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
    } catch (error) {
      stream.destroy(error as Error)
    }
  }

  async function close(error: Error | null, done: (error: Error | null) => void): Promise<void> {
    try {
      await gate.close(handle)
    } catch (failure) {
      return done(error ?? (failure as Error))
    }
    done(error)
  }

  return new Readable({
    highWaterMark,
    read(size) {
      void readNext(this, size)
    },
    destroy: (error, done) => void close(error, done),
  })
}
