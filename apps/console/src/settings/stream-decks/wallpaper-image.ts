import { addressOf, fileLinkOf } from '@pult/sdk/host'
import { useEffect, useState } from 'react'
import { isExpired } from '#platform/file-links.ts'
import { readDeckSettings } from './deck-settings.ts'

/**
 * Returns the picture of an address, ready to be drawn; null until it has loaded, and when it fails to load. A renewed
 * link does not load it again. A link that has expired before is renewed.
 */
export function useWallpaperImage(src: string | null): ImageBitmap | null {
  const [loaded, setLoaded] = useState<{ address: string; image: ImageBitmap } | null>(null)
  const isLoaded = src !== null && loaded?.address === addressOf(src)
  useEffect(() => {
    if (src === null || isLoaded) return
    let isCurrent = true
    void loadImage(src).then(
      (image) => isCurrent && setLoaded({ address: addressOf(src), image }),
      () => {
        if (!isCurrent) return
        setLoaded(null)
        const link = fileLinkOf(src)
        if (link !== null && isExpired(link.until)) readDeckSettings()
      },
    )
    return () => {
      isCurrent = false
    }
  }, [src, isLoaded])
  // The previous picture stays while another one loads.
  return src === null ? null : (loaded?.image ?? null)
}

async function loadImage(src: string): Promise<ImageBitmap> {
  const image = new Image()
  // A file store on another origin allows reading the pixels.
  image.crossOrigin = 'anonymous'
  image.src = src
  await image.decode()
  return createImageBitmap(image)
}
