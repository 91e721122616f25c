import { ConfirmDialog } from '@pult/ui'
import { texts } from './unsaved-input.texts.ts'
import { hasOnlyUploads } from './unsaved-input.ts'

interface LeaveDialogProps {
  open: boolean
  onStay: () => void
  onLeave: () => void
}

export function LeaveDialog({ open, onStay, onLeave }: LeaveDialogProps) {
  const isUpload = hasOnlyUploads()
  return (
    <ConfirmDialog
      open={open}
      title={isUpload ? texts.leaveUploadTitle : texts.leaveTitle}
      confirmLabel={texts.leave}
      cancelLabel={texts.stay}
      destructive
      onConfirm={onLeave}
      onCancel={onStay}
    >
      {isUpload ? texts.leaveUploadText : texts.leaveText}
    </ConfirmDialog>
  )
}
