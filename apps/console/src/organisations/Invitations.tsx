import type { PendingInvitation, SentInvitation } from '@pult/contract'
import { Loaded } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Card, HandOver, IconButton, TimeAgo } from '@pult/ui'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { ActionDialog } from '#platform/ActionDialog.tsx'
import { EmailForm } from '#platform/EmailForm.tsx'
import { notify } from '#platform/notify.ts'
import styles from './Organisations.module.css'
import {
  useInvitations,
  useInvite,
  useResendInvitation,
  useRevokeInvitation,
} from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** Without a mail server, root passes the link on. */
interface Unsent {
  invitation: PendingInvitation
  link: string
}

export function Invitations({ orgId }: { orgId: string }) {
  const invitations = useInvitations(orgId)
  const invite = useInvite(orgId)
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const [asked, setAsked] = useState<PendingInvitation | null>(null)
  const [isAsking, setAsking] = useState(false)

  const announce = ({ invitation, isMailed, link }: SentInvitation) => {
    if (isMailed) notify.success(texts.invited(invitation.email))
    else if (link === undefined) notify.info(texts.waits(invitation.email), texts.waitsText)
    setUnsent(link === undefined ? null : { invitation, link })
  }
  const ask = (invitation: PendingInvitation) => {
    setAsked(invitation)
    setAsking(true)
  }
  const isStillThere = invitations.data?.some(({ _id }) => _id === unsent?.invitation._id) === true
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.list} title={texts.invitations} flush>
      {unsent && isStillThere && (
        <HandOver
          title={texts.handOver(unsent.invitation.email)}
          link={unsent.link}
          label={texts.link}
          copyLabel={texts.copy}
          copiedLabel={texts.copied}
          failedLabel={texts.copyFailed}
        >
          {texts.handOverText}
        </HandOver>
      )}
      <Loaded query={invitations} failed={texts.invitationsFailed}>
        {(pending) =>
          pending.length === 0 ? (
            <p className={styles.none}>{texts.noInvitations}</p>
          ) : (
            <ul>
              {pending.map((invitation) => (
                <InvitationRow
                  key={invitation._id}
                  orgId={orgId}
                  invitation={invitation}
                  onSent={announce}
                  onRevoke={() => ask(invitation)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <EmailForm
        label={texts.email}
        name="invited-email"
        autoComplete="off"
        action={texts.invite}
        pendingLabel={texts.inviting}
        failed={texts.inviteFailed}
        atField={['ALREADY_MEMBER']}
        send={invite}
        onSent={announce}
      />
      {asked && (
        <RevokeDialog orgId={orgId} invitation={asked} open={isAsking} onClose={() => setAsking(false)} />
      )}
    </Card>
  )
}

interface InvitationRowProps {
  orgId: string
  invitation: PendingInvitation
  onSent: (sent: SentInvitation) => void
  onRevoke: () => void
}

function InvitationRow({ orgId, invitation, onSent, onRevoke }: InvitationRowProps) {
  const { mutateAsync: resend, isPending } = useResendInvitation(orgId)
  const { _id, email, expiresAt, isExpired } = invitation

  const sendAgain = async () => {
    try {
      onSent(await resend(_id))
    } catch (error) {
      notify.error(texts.resendFailed, error)
    }
  }

  return (
    <li className={styles.invitation}>
      <span className={styles.address}>
        {email}
        <span className={styles.quiet}>
          <TimeAgo at={expiresAt} sentence={isExpired ? texts.expiredAt : texts.expiresAt} />
        </span>
      </span>
      <IconButton
        label={texts.resend(email)}
        icon={<Send aria-hidden="true" />}
        disabled={isPending}
        onClick={() => void sendAgain()}
      />
      <IconButton label={texts.revoke(email)} icon={<Trash aria-hidden="true" />} onClick={onRevoke} />
    </li>
  )
}

interface RevokeDialogProps {
  orgId: string
  invitation: PendingInvitation
  open: boolean
  onClose: () => void
}

function RevokeDialog({ orgId, invitation, open, onClose }: RevokeDialogProps) {
  return (
    <ActionDialog
      open={open}
      title={texts.revokeQuestion}
      confirmLabel={texts.confirmRevoke}
      cancelLabel={texts.cancel}
      action={useRevokeInvitation(orgId)}
      subject={invitation._id}
      onDone={() => notify.success(texts.revoked)}
      onClose={onClose}
    >
      {texts.revokeText(invitation.email)}
    </ActionDialog>
  )
}
