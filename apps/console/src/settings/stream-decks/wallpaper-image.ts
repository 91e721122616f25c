import { useEffect, useState } from 'react'

/** The picture at an address, ready to be drawn; null until it is there, and when it cannot be read. */
export function useWallpaperImage(src: string | null): ImageBitmap | null {
  const [loaded, setLoaded] = useState<{ src: string; image: ImageBitmap } | null>(null)
  useEffect(() => {
    if (src === null) return
    let isWanted = true
    void loadImage(src).then(
      (image) => isWanted && setLoaded({ src, image }),
      () => isWanted && setLoaded(null),
    )
    return () => {
      isWanted = false
    }
  }, [src])
  // While another one is on its way the one before stays.
  return src === null ? null : (loaded?.image ?? null)
}

async function loadImage(src: string): Promise<ImageBitmap> {
  const image = new Image()
  // A file store elsewhere allows to read what it shows.
  image.crossOrigin = 'anonymous'
  image.src = src
  await image.decode()
  return createImageBitmap(image)
}
