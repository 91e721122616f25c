import type { MediaFormat, MediaSource } from '@pult/contract'

const edgeOf = ({ meta }: MediaFormat) => Math.max(meta.width ?? 0, meta.height ?? 0)

/** Formats that every browser supports. */
const everywhere = new Set(['image/jpeg', 'image/png', 'image/gif'])

/** The formats of a picture as attributes of `<source>` and `<img>`. */
export interface ImageFormats {
  /** WebP of several widths, for a `<source>`; undefined without WebP. */
  srcSet: string | undefined
  /** Fallback for browsers without WebP. */
  src: string
  /** Pixels, to reserve the space before the picture loads; null if unknown. */
  width: number | null
  height: number | null
}

/** Chooses the formats of a picture. The original is the last fallback, because it can be very large. */
export function imageFormats({ type, formats }: MediaSource): ImageFormats | null {
  const [original] = formats
  if (type !== 'image' || original === undefined) return null
  const made = formats.filter(({ name }) => name !== 'original')
  const webp = made.filter(({ mime, meta }) => mime === 'image/webp' && meta.width !== null)
  const fallback = made.find(({ mime }) => everywhere.has(mime)) ?? original
  const [largest = original] = [...made, original].toSorted((a, b) => edgeOf(b) - edgeOf(a))
  return {
    srcSet:
      webp.length === 0 ? undefined : webp.map(({ url, meta }) => `${url} ${meta.width ?? 0}w`).join(', '),
    src: fallback.url,
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
