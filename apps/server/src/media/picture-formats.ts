import { limits, taskMessageOf } from '@pult/contract'
import type { Sharp } from 'sharp'
import { AppError } from '#platform/app-error.ts'
import { loadSharp } from '#platform/files/load-sharp.ts'
import { isSequence } from './picture-motion.ts'

/** A format made from a picture. */
export interface MadeFormat {
  name: 'thumb' | 'medium' | 'large'
  mime: 'image/webp' | 'image/jpeg' | 'image/png'
  content: Buffer
  width: number
  height: number
  isAnimated: boolean
}

/** The longest edge of each format in pixels. */
const edges = { thumb: 320, medium: 1024, large: 2048 } as const

/**
 * Time limit per format in seconds. The largest permitted animation takes a minute on one slow core, and other pictures
 * share it.
 */
const longest = 300

/** Bytes. A list shows many thumbs, so that the thumb of a larger animation is a still. */
const largestMovingThumb = 2 * 1024 * 1024

interface Reading {
  /** Accepts damage: the formats contain the pixels that can be read, as browsers show them. */
  isTolerant?: boolean
  /** Bytes of the largest thumb that moves. */
  movingThumb?: number
}

const optionsOf = ({ isTolerant = false }: Reading) =>
  ({
    limitInputPixels: limits.imagePixelsMax,
    failOn: isTolerant ? 'none' : 'error',
    sequentialRead: true,
  }) as const

/** Formats that browsers show, by their names in sharp. No other format is decoded. */
const shown: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])

/** The facts of a picture that decide about its formats. */
export interface Picture {
  /** Pixels after applying the orientation. */
  width: number
  height: number
  /** Whether browsers show it moving. */
  isAnimated: boolean
  /** Whether the formats can move: libvips reads all frames, and together they are within the pixel limit. */
  canMove: boolean
  hasAlpha: boolean
  /** Whether browsers apply the orientation in its metadata. */
  isOriented: boolean
}

/**
 * Returns the displayed size of a picture and whether it moves. Throws an AppError if it is broken or has too many
 * pixels.
 */
export async function readPicture(path: string, reading: Reading = {}): Promise<Picture> {
  const sharp = await loadSharp()
  const found = await sharp(path, optionsOf(reading)).metadata().catch(refuse)
  const { autoOrient, width, height, format, pages = 1, hasAlpha } = found
  if (!shown.has(format)) refuse(new Error(`${format} is not shown by browsers`))
  // Browsers ignore the orientation of WebP, and the pages of a HEIF file are separate pictures.
  const isOriented = format !== 'webp'
  const hasFrames = pages > 1 && format !== 'heif'
  return {
    ...(isOriented ? autoOrient : { width, height }),
    isAnimated: hasFrames || (await isSequence(path, format)),
    canMove: hasFrames && width * height * pages <= limits.imagePixelsMax,
    hasAlpha,
    isOriented,
  }
}

/**
 * Makes the formats of a picture one at a time, smallest first: WebP in up to three sizes, none larger than the
 * picture, and one JPEG (or PNG if it is transparent) for programs without WebP. Camera metadata, including the
 * location, is removed. The WebP formats keep an animation, unless its frames together exceed the pixel limit of one
 * picture. The thumb of a large animation is a still.
 */
export async function* formatsOfPicture(
  path: string,
  signal: AbortSignal,
  reading: Reading = {},
): AsyncGenerator<MadeFormat> {
  const sharp = await loadSharp()
  const { movingThumb = largestMovingThumb } = reading
  const options = optionsOf(reading)
  const { width, height, canMove, hasAlpha, isOriented } = await readPicture(path, reading)
  const edge = Math.max(width, height)

  const open = (longestEdge: number, animated: boolean) => {
    const picture = sharp(path, { ...options, animated })
    return (isOriented ? picture.autoOrient() : picture).resize({
      width: longestEdge,
      height: longestEdge,
      fit: 'inside',
      withoutEnlargement: true,
    })
  }
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
    return {
      name,
      mime,
      content: data,
      width: info.width,
      height: info.pageHeight ?? info.height,
      isAnimated: info.pageHeight !== undefined,
    }
  }
  const webp = (name: MadeFormat['name'], animated: boolean): Promise<MadeFormat> =>
    render(name, 'image/webp', open(edges[name], animated).webp({ quality: 82, effort: 3 })).catch(
      // One damaged frame leaves the first one.
      (error: unknown) => {
        if (!animated || reading.isTolerant !== true || signal.aborted) throw error
        return webp(name, false)
      },
    )

  const thumb = await webp('thumb', canMove)
  const isTooLarge = edge > edges.thumb && thumb.content.length > movingThumb
  yield thumb.isAnimated && isTooLarge ? await webp('thumb', false) : thumb
  if (edge > edges.thumb) yield await webp('medium', canMove)
  if (edge > edges.medium) yield await webp('large', canMove)

  const name = edge > edges.thumb ? 'medium' : 'thumb'
  const fallback = open(edges[name], false)
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
