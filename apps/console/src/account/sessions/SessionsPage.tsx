import { LoadingFailed } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Button, Card, ConfirmDialog, PageHeader, Skeleton } from '@pult/ui'
import { useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { ActivityList } from './ActivityList.tsx'
import { SessionRow } from './SessionRow.tsx'
import styles from './SessionsPage.module.css'
import { useEndOtherSessions, useSessions } from './sessions.queries.ts'
import { texts } from './sessions.texts.ts'

/** Where one is signed in, with the means to end it, and what happened to the account. */
export function SessionsPage() {
  usePageTitle(texts.title)
  const { data: sessions, error, refetch } = useSessions()
  const [asks, setAsks] = useState(false)
  const hasOthers = sessions?.some((session) => !session.isCurrent) === true
  return (
    <div ref={keepFocus} className={styles.page}>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={hasOthers && <Button onClick={() => setAsks(true)}>{texts.endOthers}</Button>}
      />
      <Card tabIndex={-1} className={styles.list} title={texts.active} flush>
        {sessions !== undefined ? (
          <ul className={styles.sessions}>
            {sessions.map((session) => (
              <SessionRow key={session._id} session={session} />
            ))}
          </ul>
        ) : error === null ? (
          <div className={styles.waiting} aria-busy="true">
            <Skeleton height="38px" />
          </div>
        ) : (
          <div className={styles.waiting}>
            <LoadingFailed title={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
          </div>
        )}
      </Card>
      <ActivityList />
      <EndOthersDialog open={asks} onClose={() => setAsks(false)} />
    </div>
  )
}

function EndOthersDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { mutateAsync: endOthers, isPending, error } = useEndOtherSessions()

  const confirm = async () => {
    try {
      await endOthers()
      onClose()
      notify.success(texts.othersEnded)
    } catch {
      // The dialog says why, and stays.
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title={texts.endOthersQuestion}
      confirmLabel={texts.endOthers}
      cancelLabel={texts.cancel}
      destructive
      pending={isPending}
      error={error === null ? undefined : messageOf(error)}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {texts.endOthersText}
    </ConfirmDialog>
  )
}
