import { useEffect, useState } from 'react'

/** Turns true when what is written on keys can be drawn: a canvas does not wait for a font. */
export function useDeckFont(): boolean {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => {
    const loaded = () => setIsThere(true)
    // Without it another font does.
    document.fonts.load('600 20px "Inter Variable"').then(loaded, loaded)
  }, [])
  return isThere
}
