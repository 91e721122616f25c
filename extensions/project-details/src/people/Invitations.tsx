import { useNotify } from '@pult/sdk'
import type { PendingInvitation, Product } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { Card, HandOver, IconButton, keepFocus, Table, type TableColumn } from '@pult/sdk/ui'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Instant } from '../Instant.tsx'
import { useInvitations, useProducts, useResendInvitation } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { InviteForm } from './InviteForm.tsx'
import styles from './People.module.css'
import { RevokeInvitation } from './RevokeInvitation.tsx'
import { roleLabel } from './RoleOptions.tsx'

/** What the server answers when it has sent an invitation, or could not. */
export interface Sent {
  invitation: PendingInvitation
  link?: string | undefined
}

interface Unsent extends Sent {
  link: string
}

/** Those who are invited and have not come yet. */
export function Invitations() {
  const { data: invitations, error, refetch } = useInvitations()
  const { data: products } = useProducts()
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const [asked, setAsked] = useState<PendingInvitation | null>(null)
  const [asksToRevoke, setAsksToRevoke] = useState(false)
  const notify = useNotify()

  const announce = ({ invitation, link }: Sent) => {
    if (link === undefined) notify({ title: texts.invited(invitation.email), tone: 'success' })
    setUnsent(link === undefined ? null : { invitation, link })
  }
  const revoke = (invitation: PendingInvitation) => {
    setAsked(invitation)
    setAsksToRevoke(true)
  }
  // Accepted or revoked: the link is of no more use.
  const isOpen = invitations?.some(({ _id }) => _id === unsent?.invitation._id) === true
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.list} title={texts.invitations} flush>
      {unsent && isOpen && (
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
      {invitations === undefined ? (
        <Waiting failed={texts.invitationsFailed} error={error} onRetry={() => void refetch()} />
      ) : invitations.length === 0 ? (
        <p className={styles.none}>{texts.noInvitations}</p>
      ) : (
        <Table
          label={texts.invitations}
          columns={columnsOf(products, announce, revoke)}
          rows={invitations}
          rowKey={({ _id }) => _id}
        />
      )}
      <InviteForm onSent={announce} />
      {asked && (
        <RevokeInvitation invitation={asked} open={asksToRevoke} onClose={() => setAsksToRevoke(false)} />
      )}
    </Card>
  )
}

const columnsOf = (
  products: readonly Product[] | undefined,
  onSent: (sent: Sent) => void,
  onRevoke: (invitation: PendingInvitation) => void,
): TableColumn<PendingInvitation>[] => [
  { header: texts.email, kind: 'title', cell: ({ email }) => email },
  {
    header: texts.role,
    cell: ({ productRole }) => (productRole === null ? texts.noRole : roleLabel(productRole, products)),
  },
  {
    header: texts.expires,
    cell: ({ expiresAt, isExpired }) => (
      <>
        {isExpired && `${texts.expired} `}
        <Instant iso={expiresAt} />
      </>
    ),
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (invitation) => (
      <InvitationActions invitation={invitation} onSent={onSent} onRevoke={() => onRevoke(invitation)} />
    ),
  },
]

interface InvitationActionsProps {
  invitation: PendingInvitation
  onSent: (sent: Sent) => void
  onRevoke: () => void
}

function InvitationActions({ invitation: { _id, email }, onSent, onRevoke }: InvitationActionsProps) {
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
