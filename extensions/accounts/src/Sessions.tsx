import { useApi, useCall, useCredentials } from '@pult/sdk'
import { type Account, rootSessionEndpoints, type SessionRecord } from '@pult/sdk/api/root'
import { Loaded } from '@pult/sdk/resource'
import { Card, keepFocus, Table, type TableColumn, TimeAgo } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { deviceOf } from './device-of.ts'
import { nameOf } from './name-of.ts'

const columnsOf = (personId: string): TableColumn<SessionRecord>[] => [
  {
    header: texts.device,
    kind: 'title',
    cell: ({ userAgent, isCurrent }) => (
      <span className={styles.states}>
        {deviceOf(userAgent)}
        {isCurrent && <span className={styles.mark}>{texts.thisSession}</span>}
      </span>
    ),
  },
  { header: texts.address, cell: ({ address }) => address },
  {
    header: texts.since,
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
  {
    header: texts.lastSeen,
    cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} />,
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (session) => <EndSession personId={personId} session={session} />,
  },
]

function EndSession({ personId, session }: { personId: string; session: SessionRecord }) {
  const call = useApi()
  const { _id: sessionId, userAgent, address } = session
  return (
    <ConfirmedAction
      label={texts.endSession}
      accessibleLabel={texts.endSessionOf(deviceOf(userAgent), address)}
      variant="ghost"
      question={texts.endSessionQuestion}
      text={texts.endSessionText(deviceOf(userAgent))}
      confirmLabel={texts.endSession}
      done={texts.sessionEnded}
      run={() => call(rootSessionEndpoints.end, { params: { personId, sessionId } })}
    />
  )
}

/** The account's sessions. */
export function Sessions({ account }: { account: Account }) {
  const { _id: personId } = account
  const sessions = useCall(rootSessionEndpoints.list, { params: { personId } })
  const call = useApi()
  const isOwn = useCredentials()._id === personId

  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      title={texts.sessions}
      flush
      actions={
        sessions.data !== undefined &&
        sessions.data.items.length > 0 && (
          <ConfirmedAction
            label={texts.endSessions}
            variant="danger-quiet"
            question={texts.endSessionsQuestion}
            text={
              <>
                {texts.endSessionsText(nameOf(account))}
                {isOwn && <p>{texts.endOwnSessionsText}</p>}
              </>
            }
            done={texts.sessionsEnded}
            run={() => call(rootSessionEndpoints.endAll, { params: { personId } })}
          />
        )
      }
    >
      <Loaded query={sessions} failed={texts.sessionsFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.none}>{texts.noSessions}</p>
          ) : (
            <Table
              label={texts.sessions}
              columns={columnsOf(personId)}
              rows={items}
              rowKey={({ _id }) => _id}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
