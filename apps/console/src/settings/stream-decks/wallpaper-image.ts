import { useEffect, useState } from 'react'

/** Returns the picture of an address, ready to be drawn; null until it has loaded, and when it fails to load. */
export function useWallpaperImage(src: string | null): ImageBitmap | null {
  const [loaded, setLoaded] = useState<{ src: string; image: ImageBitmap } | null>(null)
  useEffect(() => {
    if (src === null) return
    let isCurrent = true
    void loadImage(src).then(
      (image) => isCurrent && setLoaded({ src, image }),
      () => isCurrent && setLoaded(null),
    )
    return () => {
      isCurrent = false
    }
  }, [src])
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
