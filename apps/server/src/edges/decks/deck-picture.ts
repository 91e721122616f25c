import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { loadSharp } from '#platform/files/load-sharp.ts'

const accepted = new Set(['png', 'jpeg', 'webp'])

/** Rejects files that are not pictures of a supported format. */
export async function checkPicture(picture: Buffer): Promise<void> {
  // The base64 of a single character has no bytes, for which sharp throws before it returns a promise.
  if (picture.length === 0) throw new AppError('CONTENT_MISMATCH')
  const sharp = await loadSharp()
  const found = await sharp(picture, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => undefined)
  if (found === undefined || !accepted.has(found.format)) throw new AppError('CONTENT_MISMATCH')
  if (found.width * found.height > limits.imagePixelsMax) throw new AppError('IMAGE_TOO_LARGE')
}

/**
 * Returns the pixels of a picture with labels over it, at the size of a deck: row by row, 3 bytes each. Null without a
 * picture and without labels.
 */
export async function pixelsOf(
  picture: Buffer | null,
  { width, height, face }: { width: number; height: number; face: Buffer | null },
): Promise<Buffer | null> {
  if (picture === null && face === null) return null
  const sharp = await loadSharp()
  const open = (file: Buffer) => sharp(file, { limitInputPixels: limits.imagePixelsMax, pages: 1 })
  const base =
    picture === null
      ? sharp({ create: { width, height, channels: 3, background: '#000' } })
      : open(picture).autoOrient().resize(width, height, { fit: 'cover' }).flatten({ background: '#000' })
  const labels =
    face === null ? [] : [{ input: await open(face).resize(width, height, { fit: 'fill' }).png().toBuffer() }]
  return base.composite(labels).toColourspace('srgb').removeAlpha().raw().toBuffer()
}
