import { LeaveDialog } from '#platform/unsaved-input/LeaveDialog.tsx'
import { logOutNow } from './log-out.ts'

/** Asks before a logout discards unsaved input. */
export function LogOutDialog({ onClose }: { onClose: () => void }) {
  const leave = () => {
    onClose()
    void logOutNow()
  }
  return <LeaveDialog open onStay={onClose} onLeave={leave} />
}
