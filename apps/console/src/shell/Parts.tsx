import { useEffect } from 'react'
import { moveInLists } from '#platform/list-keys.ts'
import { Overlays } from './Overlays.tsx'
import { RememberedWindows } from './RememberedWindows.tsx'
import { Toasts } from './Toasts.tsx'

/** The layers above the pages, from bottom to top, and the keys of lists. */
export function Parts() {
  useEffect(() => {
    // On window, so that elements can handle the keys first.
    addEventListener('keydown', moveInLists)
    return () => removeEventListener('keydown', moveInLists)
  }, [])
  return (
    <>
      <RememberedWindows />
      <Overlays />
      <Toasts />
    </>
  )
}
