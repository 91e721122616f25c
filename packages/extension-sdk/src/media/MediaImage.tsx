import type { MediaSource } from '@pult/contract'
import { imageFormats } from './media-image.ts'

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
}

/**
 * Renders a picture in the format that fits the layout and the screen. It reserves the picture's space, so that nothing
 * moves when the picture loads.
 *
 * @example <MediaImage source={item.source} alt="" sizes="240px" />
 */
export function MediaImage({ source, alt, sizes = '100vw', className, lazy = true }: MediaImageProps) {
  const formats = imageFormats(source)
  if (formats === null) return null
  const { srcSet, src, width, height } = formats
  return (
    <picture>
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
      />
    </picture>
  )
}
