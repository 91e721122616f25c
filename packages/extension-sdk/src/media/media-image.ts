import type { MediaFormat, MediaSource } from '@pult/contract'

const edgeOf = ({ meta }: MediaFormat) => Math.max(meta.width ?? 0, meta.height ?? 0)

/** Programs that show pictures at all show these. */
const everywhere = new Set(['image/jpeg', 'image/png', 'image/gif'])

/** What an `<img>` takes of a picture's formats: those that are alike, from which the browser chooses by width. */
export interface ImageFormats {
  /** WebP of several widths, for a `<source>`; undefined if there is none. */
  srcSet: string | undefined
  /** For everything else. */
  src: string
  /** Pixels, to reserve the space before the picture loads; null if unknown. */
  width: number | null
  height: number | null
}

/** Chooses the formats that show a picture. The original is the last resort, because it can be very large. */
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
 * The smallest format that is at least so wide, else the largest: for what takes one address, such as a background.
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
