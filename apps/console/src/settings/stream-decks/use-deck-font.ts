import { useEffect, useState } from 'react'

/** Returns true once the font of the keys has loaded, because a canvas does not wait for fonts. */
export function useDeckFont(): boolean {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => {
    const loaded = () => setIsThere(true)
    // Without it the canvas falls back to another font.
    document.fonts.load('600 20px "Inter Variable"').then(loaded, loaded)
  }, [])
  return isThere
}
