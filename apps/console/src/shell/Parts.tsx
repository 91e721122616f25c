import { Overlays } from './Overlays.tsx'
import { RememberedWindows } from './RememberedWindows.tsx'
import { Toasts } from './Toasts.tsx'

/** What lies over the pages, from below to above. */
export function Parts() {
  return (
    <>
      <RememberedWindows />
      <Overlays />
      <Toasts />
    </>
  )
}
