import type { Home } from '@pult/contract'
import { Avatar, Button, DataCard, HandOver, Link } from '@pult/ui'
import { useState } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { timeOf } from '#platform/desk/problem-words.ts'
import { useStore } from '#platform/use-store.ts'
import type { HomePartProps } from './home-part.ts'
import styles from './People.module.css'
import tasksStyles from './TasksCard.module.css'
import { unsentInvitation, useResendInvitation } from './use-resend-invitation.ts'

const words = texts.home

type Invitation = NonNullable<Home['invitations']>['items'][number]

/** Pending invitations, the first to expire first. Renders nothing without any. */
export function InvitationsCard({ project, home, state, rights }: HomePartProps) {
  const unsent = useStore(unsentInvitation)
  const invitations = home?.invitations
  if (!invitations || invitations.total === 0) return null
  const hidden = invitations.total - invitations.items.length
  return (
    <DataCard
      flush
      title={words.invited}
      state={state}
      {...(rights.mayInvite && {
        action: (
          <Link className={tasksStyles.all} href="/app/project-details/people">
            {words.people}
          </Link>
        ),
      })}
    >
      {unsent && (
        <HandOver
          title={words.handOver(unsent.email)}
          link={unsent.link}
          label={words.link}
          copyLabel={words.copy}
          copiedLabel={words.copied}
          failedLabel={words.copyFailed}
        >
          {words.handOverText}
        </HandOver>
      )}
      <ul aria-label={words.invited} className={styles.list}>
        {invitations.items.map((invitation) => (
          <Row key={invitation._id} projectId={project._id} invitation={invitation} />
        ))}
      </ul>
      {hidden > 0 && <p className={tasksStyles.more}>{texts.more(hidden)}</p>}
    </DataCard>
  )
}

function Row({ projectId, invitation }: { projectId: string; invitation: Invitation }) {
  const { _id, email, role, expiresAt, isExpired } = invitation
  const resend = useResendInvitation(projectId)
  const [isPending, setPending] = useState(false)
  const send = async () => {
    setPending(true)
    await resend(_id, email)
    setPending(false)
  }
  const until = isExpired ? words.expired : texts.problem.expires(timeOf(expiresAt))
  return (
    <li className={styles.row}>
      <Avatar id={_id} name={email} />
      <span className={styles.words}>
        <span className={styles.email} title={email}>
          {email}
        </span>
        <span className={styles.quiet}>{`${role ?? words.noRole} · ${until}`}</span>
      </span>
      <Button aria-label={words.resendTo(email)} pending={isPending} onClick={() => void send()}>
        {words.resend}
      </Button>
    </li>
  )
}
