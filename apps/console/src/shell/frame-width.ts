import { useMedia } from '#platform/use-media.ts'

/** Wide: navigation beside the page. Narrow: in a drawer. Phone: a bar at the bottom. */
export type FrameWidth = 'phone' | 'narrow' | 'wide'

export function useFrameWidth(): FrameWidth {
  const isWide = useMedia('(min-width: 900px)')
  const isPhone = useMedia('(max-width: 599px)')
  return isWide ? 'wide' : isPhone ? 'phone' : 'narrow'
}
