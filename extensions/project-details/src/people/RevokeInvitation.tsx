import type { PendingInvitation } from '@pult/sdk/api'
import { ConfirmedRemoval } from '../ConfirmedRemoval.tsx'
import { useRevokeInvitation } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'

interface RevokeInvitationProps {
  invitation: PendingInvitation
  open: boolean
  onClose: () => void
}

/** Revokes an invitation after confirmation. */
export function RevokeInvitation({ invitation, ...dialog }: RevokeInvitationProps) {
  return (
    <ConfirmedRemoval
      {...dialog}
      removal={useRevokeInvitation()}
      id={invitation._id}
      title={texts.revokeQuestion}
      confirmLabel={texts.revoke}
      cancelLabel={texts.cancel}
      removed={texts.revoked}
    >
      {texts.revokeText(invitation.email)}
    </ConfirmedRemoval>
  )
}
