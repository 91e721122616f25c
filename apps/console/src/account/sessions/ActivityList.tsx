import type { Activity } from '@pult/contract'
import { Alert, Awaited, Button, Card, StateChip, TimeAgo } from '@pult/ui'
import { messageOf } from '#platform/api-error.ts'
import styles from './SessionsPage.module.css'
import { useActivity } from './sessions.queries.ts'
import { texts } from './sessions.texts.ts'

/** Lists the account's security events, so that its owner can spot activity by others. */
export function ActivityList() {
  const { items, error, reading } = useActivity()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = reading
  return (
    <Card title={texts.activity} flush>
      {items === undefined && error === null && <Awaited className={styles.waiting} height="38px" />}
      <ol className={styles.activity}>
        {items?.map((activity) => (
          <ActivityRow key={activity._id} activity={activity} />
        ))}
      </ol>
      {error !== null && (
        <div className={styles.waiting}>
          <Alert tone="danger">
            {texts.activityFailed}: {messageOf(error)}
          </Alert>
        </div>
      )}
      {(hasNextPage || error !== null) && (
        <div className={styles.more}>
          <Button
            variant="ghost"
            pending={isFetchingNextPage}
            pendingLabel={texts.loadingMore}
            onClick={() => void fetchNextPage()}
          >
            {error === null ? texts.more : texts.retry}
          </Button>
        </div>
      )}
    </Card>
  )
}

function ActivityRow({ activity: { event, at, result, address, about } }: { activity: Activity }) {
  return (
    <li className={styles.event}>
      <div className={styles.what}>
        <span>
          {nameOf(event)}
          {about !== null && <span className={styles.about}> {about}</span>}
        </span>
        <span className={styles.from}>{address === null ? texts.fromCommandLine : texts.from(address)}</span>
      </div>
      {result === 'failure' && (
        <StateChip plain status="failed">
          {texts.failed}
        </StateChip>
      )}
      <span className={styles.at}>
        <TimeAgo at={at} />
      </span>
    </li>
  )
}

/** Event types that this console does not know yet are shown by their identifier. */
function nameOf(event: string): string {
  return (texts.events as Record<string, string>)[event] ?? event
}
