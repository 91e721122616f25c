import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { notify } from '../notify.ts'
import { texts } from './unsaved-input.texts.ts'
import { leaveDialog, type UnsavedInput } from './unsaved-input.ts'

/** Asks before a navigation discards input. Mounted once per router, because a router supports one blocker only. */
export function LeaveGuard({ input }: { input: UnsavedInput }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      input.isHeld() && currentLocation.pathname !== nextLocation.pathname,
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
