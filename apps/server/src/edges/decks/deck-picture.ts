import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'

/** Loaded when the first picture comes: it costs memory that most installations have better uses for. */
const sharp = async () => (await import('sharp')).default

const accepted = new Set(['png', 'jpeg', 'webp'])

/** Refuses what is no picture of a kind that everything here can read. */
export async function checkPicture(picture: Buffer): Promise<void> {
  const make = await sharp()
  const found = await make(picture, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => undefined)
  if (found === undefined || !accepted.has(found.format)) throw new AppError('CONTENT_MISMATCH')
  if (found.width * found.height > limits.imagePixelsMax) throw new AppError('IMAGE_TOO_LARGE')
}

/** The pixels of a deck that the picture fills: row by row, 3 bytes each. */
export async function pixelsOf(
  picture: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const make = await sharp()
  return make(picture, { limitInputPixels: limits.imagePixelsMax, pages: 1 })
    .autoOrient()
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
}
