import { useApi, useCall, useChange, useNotify } from '@pult/sdk'
import type { PendingInvitation } from '@pult/sdk/api'
import { rootPeopleEndpoints } from '@pult/sdk/api/root'
import { Waiting } from '@pult/sdk/resource'
import { Button, Card, keepFocus, Table, type TableColumn, TimeAgo } from '@pult/sdk/ui'
import { useState } from 'react'
import styles from './accounts.module.css'
import { accounts } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { HandOver, type Unsent } from './HandOver.tsx'

type OnUnsent = (unsent: Unsent | null) => void

const columnsOf = (onUnsent: OnUnsent): TableColumn<PendingInvitation>[] => [
  { header: texts.email, kind: 'title', cell: ({ email }) => email },
  {
    header: texts.state,
    cell: ({ expiresAt, isExpired }) => (
      <TimeAgo at={expiresAt} sentence={isExpired ? texts.expired : texts.expires} />
    ),
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (invitation) => <InvitationActions invitation={invitation} onUnsent={onUnsent} />,
  },
]
/** Lists the pending invitations. Renders nothing without invitations. */
export function PendingInvitations() {
  const { data, error, refetch } = useCall(rootPeopleEndpoints.invitations, {})
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  if (error !== null && data === undefined)
    return <Waiting failed={texts.invitationsFailed} error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.items.length === 0) return null

  const isStillThere = data.items.some(({ email }) => email === unsent?.email)
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.invitations} flush>
      {unsent !== null && isStillThere && <HandOver {...unsent} />}
      <Table
        label={texts.invitations}
        columns={columnsOf(setUnsent)}
        rows={data.items}
        rowKey={({ _id }) => _id}
      />
    </Card>
  )
}

interface InvitationActionsProps {
  invitation: PendingInvitation
  onUnsent: OnUnsent
}

function InvitationActions({ invitation: { _id, email }, onUnsent }: InvitationActionsProps) {
  const call = useApi()
  const notify = useNotify()
  const params = { invitationId: _id }
  const resend = useChange(rootPeopleEndpoints.resendInvitation, () => ({ params }), {
    touches: accounts,
    onSuccess: ({ link }) => {
      if (link === undefined) notify({ title: texts.invited(email), tone: 'success' })
      onUnsent(link === undefined ? null : { email, link })
    },
    onError: (error) => notify({ title: texts.resendFailed, error }),
  })
  return (
    <span className={styles.rowActions}>
      <Button
        variant="ghost"
        aria-label={texts.resendTo(email)}
        pending={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {texts.resend}
      </Button>
      <ConfirmedAction
        label={texts.revoke}
        accessibleLabel={texts.revokeOf(email)}
        variant="ghost"
        question={texts.revokeQuestion}
        text={texts.revokeText(email)}
        done={texts.revoked}
        run={() => call(rootPeopleEndpoints.revokeInvitation, { params })}
      />
    </span>
  )
}
