import { useEffect, useState } from 'react'
import { type Path, useBlocker } from 'react-router'
import { notify } from '../notify.ts'
import { texts } from './unsaved-input.texts.ts'
import { leaveDialog, type UnsavedInput } from './unsaved-input.ts'

/** Asks before a navigation discards input. Mounted once per router, because a router supports one blocker only. */
export function LeaveGuard({ input }: { input: UnsavedInput }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      input.isHeld() && formsAt(currentLocation) !== formsAt(nextLocation),
  )
  const [isLoaded, setLoaded] = useState(leaveDialog.isLoaded)
  const isBlocked = blocker.state === 'blocked'

  useEffect(() => {
    if (!isBlocked || isLoaded) return
    leaveDialog.load().then(
      () => setLoaded(true),
      (error: unknown) => {
        notify.error(texts.leaveFailed, error)
        blocker.reset()
      },
    )
  }, [blocker, isBlocked, isLoaded])

  if (!isLoaded) return null
  const { LeaveDialog } = leaveDialog.get()
  return <LeaveDialog open={isBlocked} onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />
}

/**
 * Identifies the forms of a page. Of the query parameters, only `tab` replaces the forms; the others filter and sort
 * lists.
 */
const formsAt = ({ pathname, search }: Omit<Path, 'hash'>) =>
  `${pathname} ${new URLSearchParams(search).get('tab')}`
