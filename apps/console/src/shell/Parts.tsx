import { useEffect } from 'react'
import { moveInLists } from '#platform/list-keys.ts'
import { Overlays } from './Overlays.tsx'
import { RememberedWindows } from './RememberedWindows.tsx'
import { Toasts } from './Toasts.tsx'

/** What lies over the pages, from below to above; and the keys that lists have everywhere. */
export function Parts() {
  useEffect(() => {
    // On the window: whoever has other plans with them is asked first.
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
