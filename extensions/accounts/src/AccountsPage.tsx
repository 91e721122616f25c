import { AppLink, usePageQuery } from '@pult/sdk'
import type { Account } from '@pult/sdk/api'
import { useTypedValue, Waiting } from '@pult/sdk/resource'
import {
  Button,
  Card,
  EmptyState,
  formatInstant,
  keepFocus,
  Pager,
  Table,
  type TableColumn,
  TextField,
} from '@pult/sdk/ui'
import { useState } from 'react'
import { AccountState } from './AccountState.tsx'
import styles from './accounts.module.css'
import { useAccountList } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { nameOf } from './name-of.ts'
import { PendingInvitations } from './PendingInvitations.tsx'

const columns: TableColumn<Account>[] = [
  {
    header: texts.name,
    kind: 'title',
    cell: (account) => (
      <AppLink to={account._id} className={styles.rowLink ?? ''}>
        {nameOf(account)}
      </AppLink>
    ),
  },
  { header: texts.email, cell: ({ email }) => <span className={styles.email}>{email}</span> },
  { header: texts.state, cell: (account) => <AccountState account={account} /> },
  { header: texts.secondFactor, cell: ({ otpEnabled }) => (otpEnabled ? texts.on : texts.off) },
  {
    header: texts.lastSeen,
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? texts.never : <time dateTime={lastSeenAt}>{formatInstant(lastSeenAt)}</time>,
  },
]

/** All accounts of the installation, and how new ones come about. */
export function AccountsPage() {
  const [{ search = '' }, changeQuery] = usePageQuery()
  const [typed, setTyped] = useTypedValue(search, (text) => changeQuery({ search: text }))
  const [isInviting, setInviting] = useState(false)
  const list = useAccountList(search)

  return (
    // The last pending invitation takes its card with it.
    <div ref={keepFocus} className={styles.page}>
      <div className={styles.toolbar}>
        <TextField
          className={styles.search}
          label={texts.search}
          hideLabel
          type="search"
          placeholder={texts.search}
          description={texts.searchHint}
          maxLength={200}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button variant="primary" onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      </div>
      <PendingInvitations />
      <Card tabIndex={-1} className={styles.card} flush>
        {list.error !== null && list.items === undefined ? (
          <Waiting failed={texts.loadingFailed} error={list.error} onRetry={list.retry} />
        ) : list.items?.length === 0 ? (
          <EmptyState title={texts.nothingFound} text={texts.nothingFoundText} />
        ) : (
          <Table label={texts.accounts} columns={columns} rows={list.items} rowKey={({ _id }) => _id} />
        )}
        <Pager list={list} label={texts.pages} count={texts.count} />
      </Card>
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
    </div>
  )
}
