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
 * @param format as sharp names it: `jpeg`, `heif`
 */
export async function pictureSize(path: string, format: string): Promise<PictureSize | undefined> {
  const sharp = await loadSharp()
  try {
    const found = await sharp(path, { limitInputPixels: false }).metadata()
    if (found.format !== format || !found.width || !found.height) return undefined
    return { width: found.width, height: found.height }
  } catch {
    return undefined
  }
}
