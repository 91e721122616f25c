import { ConfirmDialog } from '@pult/ui'
import { texts } from './unsaved-input.texts.ts'

interface LeaveDialogProps {
  open: boolean
  onStay: () => void
  onLeave: () => void
}

export function LeaveDialog({ open, onStay, onLeave }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      title={texts.leaveTitle}
      confirmLabel={texts.leave}
      cancelLabel={texts.stay}
      destructive
      onConfirm={onLeave}
      onCancel={onStay}
    >
      {texts.leaveText}
    </ConfirmDialog>
  )
}
