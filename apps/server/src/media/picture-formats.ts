import { limits } from '@pult/contract'
import type { Sharp } from 'sharp'
import { AppError } from '#platform/app-error.ts'

/** A format that was made of a picture. */
export interface MadeFormat {
  name: 'thumb' | 'medium' | 'large'
  mime: 'image/webp' | 'image/jpeg' | 'image/png'
  content: Buffer
  width: number
  height: number
}

/** As the picture is shown, its orientation applied. */
export interface PictureSize {
  width: number
  height: number
}

/** The longest edge of each, in pixels. */
const edges = { thumb: 320, medium: 1024, large: 2048 } as const

/** Seconds that one format may take. */
const longest = 30

const options = { limitInputPixels: limits.imagePixelsMax, failOn: 'error', sequentialRead: true } as const

let prepared: ReturnType<typeof load> | undefined

/**
 * What reads pictures is loaded when there is one, because it costs a start 30 MB, and told once what it may read:
 * browsers' formats and nothing else, whatever a file claims to be. Each picture gets one thread, so that several at once
 * do not take the machine from the calls.
 */
const prepare = () => (prepared ??= load())

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers.map((name) => `VipsForeignLoad${name}`) })
  return sharp
}

const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif']

/** The size of a picture as it is shown. Throws an AppError when it is broken or has too many pixels. */
export async function sizeOfPicture(
  path: string,
): Promise<PictureSize & { isAnimated: boolean; hasAlpha: boolean }> {
  const sharp = await prepare()
  const { autoOrient, pages = 1, hasAlpha } = await sharp(path, options).metadata().catch(refuse)
  return { ...autoOrient, isAnimated: pages > 1, hasAlpha }
}

/**
 * Makes the formats of a picture, the smallest first, one at a time: WebP of up to three sizes, none larger than the
 * picture, and for programs that do not read WebP one more JPEG, or PNG where it is transparent. What the camera wrote
 * into the file, its place on earth among it, is not taken along. An animation goes on in all but the thumb, unless its
 * pictures have together more pixels than one picture may have.
 */
export async function* formatsOfPicture(path: string, signal: AbortSignal): AsyncGenerator<MadeFormat> {
  const sharp = await prepare()
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

/** What libvips says is for those who know it; that a picture has too many pixels is for everybody. */
function refuse(error: unknown): never {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) throw new AppError('IMAGE_TOO_LARGE')
  const message = /timeout/i.test(text)
    ? 'The picture takes too long to be read. It stays as it was uploaded'
    : 'The picture is broken. It stays as it was uploaded'
  throw new AppError('CONTENT_MISMATCH', { message })
}

/** Whether all its pictures together are small enough. */
async function canMove(path: string): Promise<boolean> {
  const sharp = await prepare()
  const {
    pages = 1,
    width,
    pageHeight,
    height,
  } = await sharp(path, { ...options, animated: true, limitInputPixels: false }).metadata()
  return width * (pageHeight ?? height) * pages <= limits.imagePixelsMax
}
