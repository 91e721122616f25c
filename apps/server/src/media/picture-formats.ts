import { limits, taskMessageOf } from '@pult/contract'
import type { Sharp } from 'sharp'
import { AppError } from '#platform/app-error.ts'
import { loadSharp } from '#platform/files/load-sharp.ts'

/** A format made from a picture. */
export interface MadeFormat {
  name: 'thumb' | 'medium' | 'large'
  mime: 'image/webp' | 'image/jpeg' | 'image/png'
  content: Buffer
  width: number
  height: number
}

/** The size after applying the orientation. */
export interface PictureSize {
  width: number
  height: number
}

/** The longest edge of each format in pixels. */
const edges = { thumb: 320, medium: 1024, large: 2048 } as const

/** Time limit per format in seconds. */
const longest = 30

const options = { limitInputPixels: limits.imagePixelsMax, failOn: 'error', sequentialRead: true } as const

/** Formats that browsers show, by their names in sharp. No other format is decoded. */
const shown: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

/** Returns the displayed size of a picture. Throws an AppError if it is broken or has too many pixels. */
export async function sizeOfPicture(
  path: string,
): Promise<PictureSize & { isAnimated: boolean; hasAlpha: boolean }> {
  const sharp = await loadSharp()
  const { autoOrient, format, pages = 1, hasAlpha } = await sharp(path, options).metadata().catch(refuse)
  if (!shown.has(format)) refuse(new Error(`${format} is not shown by browsers`))
  return { ...autoOrient, isAnimated: pages > 1, hasAlpha }
}

/**
 * Makes the formats of a picture one at a time, smallest first: WebP in up to three sizes, none larger than the
 * picture, and one JPEG (or PNG if it is transparent) for programs without WebP. Camera metadata, including the
 * location, is removed. All formats but the thumb keep an animation, unless its frames together exceed the pixel
 * limit of one picture.
 */
export async function* formatsOfPicture(path: string, signal: AbortSignal): AsyncGenerator<MadeFormat> {
  const sharp = await loadSharp()
  const { width, height, isAnimated, hasAlpha } = await sizeOfPicture(path)
  const edge = Math.max(width, height)
  const isMoving = isAnimated && (await canMove(path))
  const still = () => sharp(path, options)
  const moving = () => sharp(path, { ...options, animated: isMoving })
  const sizes = [
    ['thumb', edges.thumb, still],
    ...(edge > edges.thumb ? [['medium', edges.medium, moving] as const] : []),
    ...(edge > edges.medium ? [['large', edges.large, moving] as const] : []),
  ] as const

  const render = async (
    name: MadeFormat['name'],
    mime: MadeFormat['mime'],
    picture: Sharp,
  ): Promise<MadeFormat> => {
    signal.throwIfAborted()
    const { data, info } = await picture
      .timeout({ seconds: longest })
      .toBuffer({ resolveWithObject: true })
      .catch(refuse)
    return { name, mime, content: data, width: info.width, height: info.pageHeight ?? info.height }
  }
  const fit = (picture: Sharp, longestEdge: number) =>
    picture
      .autoOrient()
      .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })

  for (const [name, longestEdge, from] of sizes) {
    yield await render(name, 'image/webp', fit(from(), longestEdge).webp({ quality: 82, effort: 3 }))
  }
  const [name, longestEdge] = sizes[1] ?? sizes[0]
  const fallback = fit(still(), longestEdge)
  yield hasAlpha
    ? await render(name, 'image/png', fallback.png({ compressionLevel: 8 }))
    : await render(name, 'image/jpeg', fallback.jpeg({ quality: 82, mozjpeg: true }))
}

/** Throws an AppError. Only the pixel limit concerns users; other errors of libvips are for operators. */
function refuse(error: unknown): never {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) throw new AppError('IMAGE_TOO_LARGE')
  const taskMessage = taskMessageOf(/timeout/i.test(text) ? 'picture-too-slow' : 'picture-broken')
  throw new AppError('CONTENT_MISMATCH', { taskMessage })
}

/** Returns whether all frames together are within the pixel limit. */
async function canMove(path: string): Promise<boolean> {
  const sharp = await loadSharp()
  const {
    pages = 1,
    width,
    pageHeight,
    height,
  } = await sharp(path, { ...options, animated: true, limitInputPixels: false }).metadata()
  return width * (pageHeight ?? height) * pages <= limits.imagePixelsMax
}
