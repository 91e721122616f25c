import { Awaited } from '@pult/ui'
import { lazy, Suspense } from 'react'
import type { RoleNeededProps } from './RoleNeeded.tsx'

// Most users may do what a place offers.
const RoleNeeded = lazy(async () => ({ default: (await import('./RoleNeeded.tsx')).RoleNeeded }))

/** Beside what the user may not do: which role allows it, and "Ask for access". */
export function AskForAccess(props: RoleNeededProps) {
  return (
    <Suspense fallback={<Awaited height="96px" />}>
      <RoleNeeded {...props} />
    </Suspense>
  )
}
