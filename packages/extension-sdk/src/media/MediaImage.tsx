import type { MediaSource } from '@pult/contract'
import { useState } from 'react'
import { addressOf } from './file-link.ts'
import { type ImageFormats, imageFormats } from './media-image.ts'

export interface MediaImageProps {
  /** Source of a medium. The component renders nothing for videos and sounds. */
  source: MediaSource
  /** Alternative text. Empty if text beside the picture describes it. */
  alt: string
  /** The displayed width as a CSS `sizes` value: `(max-width: 600px) 100vw, 320px`. @default "100vw" */
  sizes?: string
  className?: string | undefined
  /** Loads the image only when it comes into view. @default true */
  lazy?: boolean
  /**
   * Moves the picture although the user prefers reduced motion or the animation is large. Set it only after the user
   * has asked for it. @default false
   */
  isPlayed?: boolean
}

/**
 * Renders a picture in the format that fits the layout and the screen. It reserves the picture's space, so that nothing
 * moves when the picture loads. An animation moves, unless the user prefers reduced motion or it is too large. When the
 * console renews the links of the source, a loaded picture stays as it is.
 *
 * @example <MediaImage source={item.source} alt="" sizes="240px" />
 */
export function MediaImage({
  source,
  alt,
  sizes = '100vw',
  className,
  lazy = true,
  isPlayed = false,
}: MediaImageProps) {
  const latest = imageFormats(source, { isPlayed })
  /** The formats with the links by which the picture was loaded. */
  const [loaded, setLoaded] = useState<ImageFormats | null>(null)
  if (latest === null) return null
  const formats = loaded !== null && isSamePicture(loaded, latest) ? loaded : latest
  const { srcSet, src, still, width, height } = formats
  return (
    <picture>
      {still !== undefined && <source media="(prefers-reduced-motion: reduce)" srcSet={still} />}
      {srcSet !== undefined && <source type="image/webp" srcSet={srcSet} sizes={sizes} />}
      <img
        className={className}
        src={src}
        alt={alt}
        width={width ?? undefined}
        height={height ?? undefined}
        loading={lazy ? 'lazy' : 'eager'}
        decoding="async"
        draggable={false}
        onLoad={() => setLoaded(formats)}
        // A browser may load another width later, by a link that has expired. The latest links replace it.
        onError={() => setLoaded(null)}
      />
    </picture>
  )
}

const linksOf = ({ srcSet, src, still }: ImageFormats) =>
  [src, still ?? '', ...(srcSet?.split(', ') ?? [])].map(addressOf).join(' ')

const isSamePicture = (one: ImageFormats, other: ImageFormats) => linksOf(one) === linksOf(other)
