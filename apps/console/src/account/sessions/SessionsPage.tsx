import { Loaded } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Button, Card, PageHead } from '@pult/ui'
import { useState } from 'react'
import { ActionDialog } from '#platform/ActionDialog.tsx'
import { notify } from '#platform/notify.ts'
import { ActivityList } from './ActivityList.tsx'
import { SessionRow } from './SessionRow.tsx'
import styles from './SessionsPage.module.css'
import { useEndOtherSessions, useSessions } from './sessions.queries.ts'
import { texts } from './sessions.texts.ts'

/** The user's sessions with actions to end them, and the account's events. */
export function SessionsPage() {
  const sessions = useSessions()
  const [asks, setAsks] = useState(false)
  const hasOthers = sessions.data?.some((session) => !session.isCurrent) === true
  return (
    <div ref={keepFocus} className={styles.page}>
      <PageHead
        title={texts.title}
        text={texts.description}
        actions={hasOthers && <Button onClick={() => setAsks(true)}>{texts.endOthers}</Button>}
      />
      <Card tabIndex={-1} className={styles.list} title={texts.active} flush>
        <Loaded query={sessions} failed={texts.loadingFailed}>
          {(rows) => (
            <ul className={styles.sessions}>
              {rows.map((session) => (
                <SessionRow key={session._id} session={session} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      <ActivityList />
      <EndOthersDialog open={asks} onClose={() => setAsks(false)} />
    </div>
  )
}

function EndOthersDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ActionDialog
      open={open}
      title={texts.endOthersQuestion}
      confirmLabel={texts.endOthers}
      cancelLabel={texts.cancel}
      action={useEndOtherSessions()}
      subject={undefined}
      onDone={() => notify.success(texts.othersEnded)}
      onClose={onClose}
    >
      {texts.endOthersText}
    </ActionDialog>
  )
}
