import { isPlayedAsUploaded, type MediaFormat, type MediaSource } from '@pult/contract'

const edgeOf = ({ meta }: MediaFormat) => Math.max(meta.width ?? 0, meta.height ?? 0)

/** Formats that every browser supports. */
const everywhere = new Set(['image/jpeg', 'image/png', 'image/gif'])

/** The formats of a picture as attributes of `<source>` and `<img>`. */
export interface ImageFormats {
  /** WebP of several widths, for a `<source>`; undefined without WebP, and if only the original moves. */
  srcSet: string | undefined
  /** Fallback for browsers without WebP. */
  src: string
  /** A still for users who prefer reduced motion; undefined for a picture that does not move. */
  still: string | undefined
  /** Pixels, to reserve the space before the picture loads; null if unknown. */
  width: number | null
  height: number | null
}

/**
 * Chooses the formats of a picture. The original is the last fallback, because it can be very large, unless only the
 * original moves and it is small.
 *
 * @param isPlayed The user plays the animation: of any size, and despite a preference for reduced motion.
 */
export function imageFormats({ type, formats }: MediaSource, { isPlayed = false } = {}): ImageFormats | null {
  const [original] = formats
  if (type !== 'image' || original === undefined) return null
  const made = formats.filter(({ name }) => name !== 'original')
  const webp = made.filter(({ mime, meta }) => mime === 'image/webp' && meta.width !== null)
  const fallback = made.find(({ mime }) => everywhere.has(mime))
  const [largest = original] = [...made, original].toSorted((a, b) => edgeOf(b) - edgeOf(a))
  const isMoving = made.some(({ isAnimated }) => isAnimated === true)
  const movesOnlyAsUploaded =
    !isMoving &&
    original.isAnimated === true &&
    (isPlayed || isPlayedAsUploaded({ ...original, ...original.meta }))
  return {
    srcSet:
      webp.length === 0 || movesOnlyAsUploaded
        ? undefined
        : webp.map(({ url, meta }) => `${url} ${meta.width ?? 0}w`).join(', '),
    src: movesOnlyAsUploaded ? original.url : (fallback ?? original).url,
    still: (isMoving || movesOnlyAsUploaded) && !isPlayed ? fallback?.url : undefined,
    ...largest.meta,
  }
}

/**
 * Returns the smallest format of at least the given width in pixels, or else the widest. Use it where only one address
 * is possible, such as a background. The original counts only if a medium has no other format.
 *
 * @example <Wallpaper url={formatFor(item.source, 480)?.url} />
 */
export function formatFor({ formats }: MediaSource, width: number): MediaFormat | undefined {
  const made = formats.filter(({ name }) => name !== 'original')
  const byWidth = (made.length > 0 ? made : formats).toSorted(
    (a, b) => (a.meta.width ?? 0) - (b.meta.width ?? 0),
  )
  return byWidth.find(({ meta }) => (meta.width ?? 0) >= width) ?? byWidth.at(-1)
}
