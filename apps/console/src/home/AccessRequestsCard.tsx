import { Avatar, ButtonLink, DataCard, TimeAgo } from '@pult/ui'
import { texts } from '#platform/desk/desk.texts.ts'
import type { HomePartProps } from './home-part.ts'
import styles from './People.module.css'
import tasksStyles from './TasksCard.module.css'

const words = texts.home

/** Requests for a role, the oldest first, for users who can answer them. Renders nothing without any. */
export function AccessRequestsCard({ home, state, rights }: HomePartProps) {
  const requests = home?.accessRequests
  if (!requests || requests.total === 0) return null
  const hidden = requests.total - requests.items.length
  return (
    <DataCard flush title={words.requests} state={state}>
      <ul aria-label={words.requests} className={styles.list}>
        {requests.items.map(({ _id, person, role, message, createdAt }) => (
          <li key={_id} className={styles.row}>
            <Avatar id={person._id} name={person.name} />
            <span className={styles.words}>
              <span>
                <b>{person.name}</b> {words.asksFor(role)}
                <span className={styles.quiet}>
                  {' · '}
                  <TimeAgo at={createdAt} />
                </span>
              </span>
              {message !== '' && (
                <span className={styles.message} title={message}>
                  {message}
                </span>
              )}
            </span>
            {rights.mayInvite && (
              <ButtonLink href="/app/project-details/people" aria-label={words.answerOf(person.name)}>
                {words.answer}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={tasksStyles.more}>{texts.more(hidden)}</p>}
    </DataCard>
  )
}
