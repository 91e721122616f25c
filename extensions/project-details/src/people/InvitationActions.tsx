import { useNotify } from '@pult/sdk'
import type { PendingInvitation, SentInvitation } from '@pult/sdk/api'
import { IconButton } from '@pult/sdk/ui'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import { useResendInvitation } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'

interface InvitationActionsProps {
  invitation: PendingInvitation
  onSent: (sent: SentInvitation) => void
  onRevoke: () => void
}

/** Resends or revokes an invitation. */
export function InvitationActions({ invitation: { _id, email }, onSent, onRevoke }: InvitationActionsProps) {
  const { mutateAsync: resend, isPending } = useResendInvitation()
  const notify = useNotify()

  const sendAgain = async () => {
    try {
      onSent(await resend(_id))
    } catch (error) {
      notify({ title: texts.resendFailed, error })
    }
  }

  return (
    <span className={styles.actions}>
      <IconButton
        label={texts.resendOf(email)}
        icon={<Send aria-hidden="true" />}
        disabled={isPending}
        onClick={() => void sendAgain()}
      />
      <IconButton label={texts.revokeOf(email)} icon={<Trash aria-hidden="true" />} onClick={onRevoke} />
    </span>
  )
}
