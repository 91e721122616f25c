import { crc32, deflateSync } from 'node:zlib'

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index))
  return bytes
}

export function pngChunk(type: string, content: Buffer): Buffer<ArrayBuffer> {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([numbers(content.length), named, numbers(crc32(named))])
}

/** Returns an animated PNG of 200 x 150 pixels, whose frames of half a second are ever brighter. */
export function animatedPng(frames: number, between: readonly Buffer[] = []): Buffer<ArrayBuffer> {
  const [width, height] = [200, 150]
  const pixels = (frame: number) => {
    const line = Buffer.alloc(1 + width * 3, 40 + (frame * 200) / frames)
    line[0] = 0
    return deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  }
  const delay = Buffer.from([0, 1, 0, 2])
  let sequence = 0
  const chunks = Array.from({ length: frames }, (_, frame) => [
    pngChunk('fcTL', Buffer.concat([numbers(sequence++, width, height, 0, 0), delay, Buffer.from([0, 0])])),
    frame === 0
      ? pngChunk('IDAT', pixels(frame))
      : pngChunk('fdAT', Buffer.concat([numbers(sequence++), pixels(frame)])),
  ])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([numbers(width, height), Buffer.from([8, 2, 0, 0, 0])])),
    ...between,
    pngChunk('acTL', numbers(frames, 0)),
    ...chunks.flat(),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
