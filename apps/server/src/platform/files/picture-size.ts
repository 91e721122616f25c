import { open } from 'node:fs/promises'
import { bitmapSize } from './bitmap-size.ts'
import { loadSharp } from './load-sharp.ts'

/** The size of one frame as stored: a picture rotated by EXIF is measured without the rotation. */
export interface PictureSize {
  width: number
  height: number
}

/**
 * Reads the size of a picture from its header without decoding it, so that a decompression bomb has no effect.
 * Undefined if it is not a picture of that format.
 *
 * @param format as sharp names it: `jpeg`, `heif`; or `bmp`, `ico`, which sharp does not read
 */
export async function pictureSize(path: string, format: string): Promise<PictureSize | undefined> {
  if (format === 'bmp' || format === 'ico') return bitmapSize(path, format)
  const sharp = await loadSharp()
  try {
    const found = await sharp(path, { limitInputPixels: false }).metadata()
    if (found.format !== format || !found.width || !found.height) return undefined
    return { width: found.width, height: found.height }
  } catch {
    return format === 'heif' ? sizeOfSequence(path) : undefined
  }
}

/** The library reads no AVIF sequence, an animation. Its properties are before its pictures. */
const propertiesWithin = 64 * 1024

/** Returns the largest size that the spatial extents of an AVIF sequence claim (ISO/IEC 23008-12, 6.5.3). */
async function sizeOfSequence(path: string): Promise<PictureSize | undefined> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(propertiesWithin), 0, propertiesWithin, 0)
    const start = buffer.subarray(0, bytesRead)
    if (start.toString('latin1', 4, 12) !== 'ftypavis') return undefined
    let [width, height] = [0, 0]
    for (
      let at = start.indexOf('ispe');
      at >= 0 && at + 16 <= bytesRead;
      at = start.indexOf('ispe', at + 16)
    ) {
      width = Math.max(width, start.readUInt32BE(at + 8))
      height = Math.max(height, start.readUInt32BE(at + 12))
    }
    return width === 0 || height === 0 ? undefined : { width, height }
  } finally {
    await handle.close()
  }
}
