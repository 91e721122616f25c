import { useNotify } from '@pult/sdk'
import type { PendingInvitation } from '@pult/sdk/api'
import { ConfirmDialog } from '@pult/sdk/ui'
import { useRevokeInvitation } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'

interface RevokeInvitationProps {
  invitation: PendingInvitation
  open: boolean
  onClose: () => void
  onRevoked: () => void
}

/** Ends an invitation, after a question. */
export function RevokeInvitation({ invitation, open, onClose, onRevoked }: RevokeInvitationProps) {
  const { mutateAsync: revoke, isPending, error, reset } = useRevokeInvitation()
  const notify = useNotify()

  const close = () => {
    onClose()
    reset()
  }
  const confirm = async () => {
    try {
      await revoke(invitation._id)
      close()
      notify({ title: texts.revoked, tone: 'success' })
      onRevoked()
    } catch {
      // The dialog says why, and stays.
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title={texts.revokeQuestion}
      confirmLabel={texts.revoke}
      cancelLabel={texts.cancel}
      destructive
      pending={isPending}
      error={error === null ? undefined : error.message}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {texts.revokeText(invitation.email)}
    </ConfirmDialog>
  )
}
