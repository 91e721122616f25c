import { type FileHandle, open } from 'node:fs/promises'

/**
 * Returns whether a PNG or AVIF file is an animation. libvips reads only the first frame of both, and reports no
 * others.
 *
 * @param format as sharp names it
 */
export async function isSequence(path: string, format: string): Promise<boolean> {
  if (format !== 'png' && format !== 'heif') return false
  const file = await open(path)
  try {
    return format === 'png' ? await isAnimatedPng(file) : await isAvifSequence(file)
  } finally {
    await file.close()
  }
}

/** Chunks before the pixels: a picture has about ten, and a hostile one millions, each of which costs a read. */
const chunksMost = 512

/** `acTL` precedes the pixels (https://www.w3.org/TR/png-3/#5ChunkOrdering), after chunks of any size. */
async function isAnimatedPng(file: FileHandle): Promise<boolean> {
  for (let [at, chunks] = [8, 0]; chunks < chunksMost; chunks += 1) {
    const head = await bytesAt(file, at, 12)
    if (head.length < 12) return false
    const type = head.toString('latin1', 4, 8)
    // An animation of one frame does not move.
    if (type === 'acTL') return (await bytesAt(file, at + 8, 4)).readUInt32BE(0) > 1
    if (type === 'IDAT') return false
    at += 12 + head.readUInt32BE(0)
  }
  return false
}

/** The file type box names the brand `avis` (https://aomediacodec.github.io/av1-avif/#image-sequence-brand). */
async function isAvifSequence(file: FileHandle): Promise<boolean> {
  const box = await bytesAt(file, 0, 4096)
  if (box.length < 16 || box.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = box.toString('latin1', 8, Math.min(box.length, box.readUInt32BE(0)))
  return (brands.slice(0, 4) + brands.slice(8)).match(/.{4}/gs)?.includes('avis') ?? false
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
