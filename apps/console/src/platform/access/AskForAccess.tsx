import { Awaited } from '@pult/ui'
import { lazy, Suspense } from 'react'
import type { RoleNeededProps } from './RoleNeeded.tsx'

// Lazy, because most users have the role.
const RoleNeeded = lazy(async () => ({ default: (await import('./RoleNeeded.tsx')).RoleNeeded }))

/** Shown beside an action that the user may not run: the required role, and "Ask for access". */
export function AskForAccess(props: RoleNeededProps) {
  return (
    <Suspense fallback={<Awaited height="96px" />}>
      <RoleNeeded {...props} />
    </Suspense>
  )
}
