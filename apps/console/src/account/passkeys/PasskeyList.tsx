import type { Passkey } from '@pult/contract'
import {
  Alert,
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  IconButton,
  Table,
  type TableColumn,
  TimeAgo,
} from '@pult/ui'
import KeyRound from 'lucide-react/icons/key-round'
import Trash from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { passkeyObstacle } from '#platform/passkey-obstacle.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import styles from './PasskeysPage.module.css'
import { usePasskeys, useRemovePasskey } from './passkeys.queries.ts'
import { texts } from './passkeys.texts.ts'

export function PasskeyList() {
  const { data: passkeys, error: loadingError, refetch } = usePasskeys()
  const { mutateAsync: remove, error: removalError } = useRemovePasskey()
  const [asked, setAsked] = useState<Passkey | null>(null)
  const [isAsking, setAsking] = useState(false)
  const card = useRef<HTMLElement>(null)

  const ask = (passkey: Passkey) => {
    setAsked(passkey)
    setAsking(true)
  }
  const removeAsked = async () => {
    if (asked === null) return
    // Closes first, because a step-up dialog may take its place.
    setAsking(false)
    try {
      await remove(asked._id)
      notify.success(texts.deleted)
      // The focused button was removed with its row.
      card.current?.focus()
    } catch {
      // The error is shown above the list, where it stays visible.
    }
  }

  return (
    <Card
      ref={card}
      tabIndex={-1}
      className={styles.list}
      flush
      {...(passkeys?.length === 0 ? { 'aria-label': texts.active } : { title: texts.active })}
    >
      {removalError !== null && !isCancelled(removalError) && (
        <div className={styles.message}>
          <Alert tone="danger" title={texts.error}>
            {messageOf(removalError)}
          </Alert>
        </div>
      )}
      {passkeys === undefined && loadingError !== null ? (
        <div className={styles.message}>
          <Alert
            tone="danger"
            title={texts.loadingFailed}
            action={<Button onClick={() => void refetch()}>{texts.retry}</Button>}
          >
            {messageOf(loadingError)}
          </Alert>
        </div>
      ) : passkeys?.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden="true" />} title={texts.none} text={emptyText()} />
      ) : (
        <Table
          label={texts.active}
          columns={columnsFor(passkeys, ask)}
          rows={passkeys}
          rowKey={({ _id }) => _id}
        />
      )}
      <ConfirmDialog
        open={isAsking}
        title={texts.deleteQuestion}
        confirmLabel={texts.confirmDelete}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={() => void removeAsked()}
        onCancel={() => setAsking(false)}
      >
        {asked && texts.deleteText(asked.label)}
      </ConfirmDialog>
    </Card>
  )
}

function emptyText(): string {
  return passkeyObstacle() === null ? `${texts.noneText} ${texts.noneNext}` : texts.noneText
}

/** Only some kinds of authenticator have a known name. The column is hidden when no passkey has one. */
function columnsFor(
  passkeys: readonly Passkey[] | undefined,
  askToDelete: (passkey: Passkey) => void,
): TableColumn<Passkey>[] {
  const isAnyKnown = passkeys?.some(({ authenticator }) => authenticator !== null) === true
  return [
    { header: texts.label, kind: 'title', cell: ({ label }) => label },
    ...(isAnyKnown
      ? [{ header: texts.authenticator, cell: ({ authenticator }: Passkey) => authenticator }]
      : []),
    { header: texts.createdAt, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    {
      header: texts.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.neverUsed : <TimeAgo at={lastUsedAt} />),
    },
    {
      header: texts.actions,
      kind: 'actions',
      cell: (passkey) => (
        <IconButton
          label={texts.delete(passkey.label)}
          icon={<Trash aria-hidden="true" />}
          onClick={() => askToDelete(passkey)}
        />
      ),
    },
  ]
}
