import type { Pixels } from './scene.ts'

/** Writes a Windows bitmap with 24 bits, whose rows go from bottom to top. */
export function windowsBitmap({ width, height, data }: Pixels): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + stride * height)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4
      const to = 54 + (height - 1 - y) * stride + x * 3
      bytes.set([data[from + 2] ?? 0, data[from + 1] ?? 0, data[from] ?? 0], to)
    }
  return bytes
}

/** Writes an icon that contains one PNG of 48 × 48 pixels. */
export function icon(png: Buffer): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 48, 48, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0])
  head.writeUInt32LE(png.length, 14)
  return Buffer.concat([head, png])
}
