import { crc32, deflateSync } from 'node:zlib'
import type { Pixels } from './scene.ts'

/** A chunk of the PNG specification: https://www.w3.org/TR/png-3/#5Chunk-layout */
export function chunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
}

export const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

type Kind = 'grey' | 'grey with alpha' | 'color' | 'color with alpha' | 'palette'

const colorTypes: Record<Kind, number> = {
  grey: 0,
  color: 2,
  palette: 3,
  'grey with alpha': 4,
  'color with alpha': 6,
}

interface PngOptions {
  kind?: Kind
  /** Bits of a sample. */
  bits?: 1 | 2 | 4 | 8 | 16
  /** Chunks between the header and the pixels. */
  before?: readonly Buffer[]
  /** Chunks after the pixels. */
  after?: readonly Buffer[]
}

/** Writes a PNG. */
export function png(pixels: Pixels, { kind = 'color', bits = 8, before = [], after = [] }: PngOptions = {}) {
  const { width, height } = pixels
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([bits, colorTypes[kind], 0, 0, 0]),
  ])
  const palette = kind === 'palette' ? paletteOf(pixels, 2 ** Math.min(bits, 8)) : []
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...before,
    ...(kind === 'palette' ? paletteChunks(palette) : []),
    chunk('IDAT', compressed(pixels, { kind, bits, palette })),
    ...after,
    chunk('IEND'),
  ])
}

/** Writes an animated PNG. If `still` is set, programs without animations show that picture, which is no frame. */
export function animatedPng(
  frames: readonly Pixels[],
  { still, plays = 0, pause = 200 }: { still?: Pixels; plays?: number; pause?: number } = {},
): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('An animation needs a frame')
  let sequence = 0
  const control = ({ width, height }: Pixels) =>
    chunk(
      'fcTL',
      Buffer.concat([
        ...[sequence++, width, height, 0, 0].map(uint32),
        uint16(pause),
        uint16(1000),
        Buffer.from([0, 0]),
      ]),
    )
  const bytes = (pixels: Pixels) => compressed(pixels, { kind: 'color', bits: 8, palette: [] })
  const { width, height } = first
  const parts = frames.flatMap((frame, index) =>
    index === 0 && still === undefined
      ? [control(frame), chunk('IDAT', bytes(frame))]
      : [control(frame), chunk('fdAT', Buffer.concat([uint32(sequence++), bytes(frame)]))],
  )
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('acTL', Buffer.concat([uint32(frames.length), uint32(plays)])),
    ...(still === undefined ? [] : [chunk('IDAT', bytes(still))]),
    ...parts,
    chunk('IEND'),
  ])
}

type Color = readonly [number, number, number, number]

function paletteOf({ data }: Pixels, most: number): Color[] {
  const colors = new Map<string, Color>()
  for (let at = 0; at < data.length && colors.size < most; at += 4) {
    const color: Color = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0]
    colors.set(color.join(), color)
  }
  return [...colors.values()]
}

function paletteChunks(palette: readonly Color[]): Buffer[] {
  const opacities = palette.map(([, , , alpha]) => alpha)
  return [
    chunk('PLTE', Buffer.from(palette.flatMap(([red, green, blue]) => [red, green, blue]))),
    ...(opacities.some((alpha) => alpha < 255) ? [chunk('tRNS', Buffer.from(opacities))] : []),
  ]
}

function compressed(
  { width, height, data }: Pixels,
  { kind, bits, palette }: { kind: Kind; bits: number; palette: readonly Color[] },
): Buffer {
  const samplesOf = (at: number): number[] => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    if (kind === 'palette') return [nearest(palette, [red, green, blue])]
    const grey = Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
    const color = kind.startsWith('grey') ? [grey] : [red, green, blue]
    return kind.endsWith('alpha') ? [...color, alpha] : color
  }
  const scaled = (sample: number) =>
    kind === 'palette' ? sample : Math.round((sample / 255) * (2 ** bits - 1))
  const rows = Array.from({ length: height }, (_, y) => {
    const samples = Array.from({ length: width }, (__, x) =>
      samplesOf((y * width + x) * 4).map(scaled),
    ).flat()
    return Buffer.concat([Buffer.from([0]), packed(samples, bits)])
  })
  return deflateSync(Buffer.concat(rows))
}

function nearest(palette: readonly Color[], color: readonly [number, number, number]): number {
  const distances = palette.map((each) =>
    color.reduce((sum, value, at) => sum + Math.abs(value - (each[at] ?? 0)), 0),
  )
  return distances.indexOf(Math.min(...distances))
}

function packed(samples: readonly number[], bits: number): Buffer {
  if (bits === 16) return Buffer.concat(samples.map(uint16))
  if (bits === 8) return Buffer.from(samples)
  const bytes = Buffer.alloc(Math.ceil((samples.length * bits) / 8))
  for (const [index, sample] of samples.entries()) {
    const at = index * bits
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (sample << (8 - bits - (at & 7)))
  }
  return bytes
}
