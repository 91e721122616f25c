import { type FileHandle, open } from 'node:fs/promises'

/*
 * Bitmaps and icons of Windows, which sharp does not read:
 * https://learn.microsoft.com/windows/win32/gdi/bitmap-storage and
 * https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
 */

interface Size {
  width: number
  height: number
}

/** Icons of programs have about 20. Each costs a read. */
const entriesMost = 256

/** The start of a bitmap or PNG, as far as it contains the size. */
const headerBytes = 24

/** Compressions whose content is another file, with another size: JPEG and PNG. */
const embedded = new Set([4, 5])

/**
 * Reads the size of a bitmap, or the size of the largest picture of an icon, from the headers. Undefined if a header
 * is missing or damaged, or claims a picture without pixels.
 */
export async function bitmapSize(path: string, format: 'bmp' | 'ico'): Promise<Size | undefined> {
  const file = await open(path)
  try {
    return format === 'bmp' ? await sizeOfBitmap(file) : await sizeOfIcon(file)
  } finally {
    await file.close()
  }
}

async function sizeOfBitmap(file: FileHandle): Promise<Size | undefined> {
  const start = await bytesAt(file, 0, 14 + headerBytes)
  return start.toString('latin1', 0, 2) === 'BM' ? dibSize(start.subarray(14)) : undefined
}

/** Each entry of the directory is checked, because a browser chooses one of them. */
async function sizeOfIcon(file: FileHandle): Promise<Size | undefined> {
  const start = await bytesAt(file, 0, 6)
  if (start.length < 6 || start.readUInt32BE(0) !== 0x100) return undefined
  const count = start.readUInt16LE(4)
  const directory = await bytesAt(file, 6, Math.min(count, entriesMost) * 16)
  if (count === 0 || directory.length < count * 16) return undefined
  let largest: Size | undefined
  for (let entry = 0; entry < count; entry += 1) {
    const offset = directory.readUInt32LE(entry * 16 + 12)
    if (offset < 6 + directory.length) return undefined
    const size = iconSize(await bytesAt(file, offset, headerBytes))
    if (size === undefined) return undefined
    if (largest === undefined || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

/** Reads the header of one picture of an icon: a PNG, or a bitmap whose height includes its mask. */
function iconSize(header: Buffer): Size | undefined {
  if (header.length < headerBytes) return undefined
  if (header.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n')
    return header.toString('latin1', 12, 16) === 'IHDR'
      ? sized(header.readUInt32BE(16), header.readUInt32BE(20))
      : undefined
  const size = dibSize(header)
  return size && sized(size.width, Math.floor(size.height / 2))
}

/** Reads BITMAPCOREHEADER and BITMAPINFOHEADER, which is the start of all later headers. */
function dibSize(header: Buffer): Size | undefined {
  if (header.length < headerBytes) return undefined
  const length = header.readUInt32LE(0)
  if (length === 12) return sized(header.readUInt16LE(4), header.readUInt16LE(6))
  if (length < 16 || length > 124) return undefined
  if (length > 16 && embedded.has(header.readUInt32LE(16))) return undefined
  // The rows of a bitmap with a negative height go from top to bottom.
  return sized(header.readInt32LE(4), Math.abs(header.readInt32LE(8)))
}

const sized = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
