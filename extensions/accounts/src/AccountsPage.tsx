import { AppLink, useAppNavigate, usePages } from '@pult/sdk'
import { type Account, type AccountSort, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { ListFrame, useListView } from '@pult/sdk/resource'
import {
  Button,
  ColumnChoice,
  DataTable,
  type DataTableColumn,
  EmptyState,
  FilterChips,
  keepFocus,
  ListSearch,
  TimeAgo,
} from '@pult/sdk/ui'
import { useEffect, useEffectEvent, useState } from 'react'
import { AccountState } from './AccountState.tsx'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { nameOf } from './name-of.ts'
import { PendingInvitations } from './PendingInvitations.tsx'

const states = ['root', 'disabled', 'unprotected'] as const
const statusOf = { root: 'info', disabled: 'stopped', unprotected: 'warning' } as const
const sorts: AccountSort[] = ['created', '-created', 'name', '-name', 'email', '-email']

const columns: DataTableColumn<Account>[] = [
  {
    id: 'name',
    header: texts.name,
    kind: 'title',
    width: '1.4fr',
    minWidth: 140,
    sortBy: 'given',
    cell: (account) => <NameOf account={account} />,
  },
  {
    id: 'email',
    header: texts.email,
    width: '1.6fr',
    minWidth: 232,
    sortBy: 'given',
    cell: ({ email }) => (
      <span className={styles.email} title={email}>
        {email}
      </span>
    ),
  },
  {
    id: 'state',
    header: texts.state,
    width: '1.3fr',
    minWidth: 130,
    cell: (account) => <AccountState account={account} />,
  },
  {
    id: 'factor',
    header: texts.secondFactor,
    width: 116,
    cell: ({ otpEnabled }) => (otpEnabled ? texts.on : texts.off),
  },
  {
    id: 'seen',
    header: texts.lastSeen,
    kind: 'number',
    width: 132,
    cell: (account) => <Seen {...account} />,
  },
  {
    id: 'created',
    header: texts.created,
    kind: 'number',
    width: 112,
    sortBy: 'given',
    sortsFirst: 'descending',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
]

function NameOf({ account }: { account: Account }) {
  return <AppLink to={`edit/${account._id}`}>{nameOf(account)}</AppLink>
}

const Seen = ({ lastSeenAt }: Pick<Account, 'lastSeenAt'>) =>
  lastSeenAt === null ? texts.never : <TimeAgo at={lastSeenAt} />

/** Row of an account on a phone: its name and state, then its address. */
const narrowAccount = (account: Account) => (
  <span className={styles.narrow}>
    <NameOf account={account} />
    <AccountState account={account} />
    <span className={styles.quiet}>{account.email}</span>
  </span>
)

/** The address of the invitation: the list with its dialog open. */
export function InvitePage() {
  const navigate = useAppNavigate()
  return <AccountsPage isInviting onInvited={() => navigate('', { replace: true })} />
}

interface AccountsPageProps {
  isInviting?: boolean
  onInvited?: () => void
}

/** All accounts of the installation, and the invitation of new ones. */
export function AccountsPage({ isInviting: isInvited = false, onInvited }: AccountsPageProps) {
  const view = useListView({ sorts, usualSort: 'created', filters: { state: states } })
  const { search, sort, settings } = view
  const { state } = view.filters
  const [isInviting, setInviting] = useState(isInvited)
  const navigate = useAppNavigate()
  const list = usePages(rootPeopleEndpoints.list, { query: { sort, search, state: state ?? undefined } })
  const counts = list.answer?.counts
  const leaveInvitation = useEffectEvent(() => onInvited?.())
  // Navigates in an effect, because the dialog's input counts as unsaved until this render.
  useEffect(() => {
    if (!isInviting) leaveInvitation()
  }, [isInviting])

  return (
    // Removing the last pending invitation removes its card.
    <div ref={keepFocus}>
      <ListFrame
        list={list}
        isFiltered={view.isFiltered}
        onClear={view.clear}
        notUnderstood={view.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.pages, count: texts.count }}
        empty={<EmptyState title={texts.nothingFound} />}
        above={<PendingInvitations />}
        search={
          <ListSearch
            label={texts.search}
            value={view.typed}
            onChange={view.setTyped}
            keys={['email', 'name', 'root', 'disabled', 'otp']}
          />
        }
        filters={
          <FilterChips
            label={texts.state}
            value={state}
            onChange={(next) => view.setFilters({ state: next })}
            chips={states.map((value) => ({
              value,
              label: texts.filters[value],
              status: statusOf[value],
              count: counts?.[value] ?? 0,
              isCapped: counts?.isCapped,
            }))}
          />
        }
        columnChoice={
          <ColumnChoice
            label={texts.columns}
            columns={columns}
            settings={settings}
            onSettingsChange={view.setSettings}
          />
        }
        tools={
          <Button variant="primary" onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        }
      >
        <DataTable
          label={texts.accounts}
          columns={columns}
          rows={list.items}
          rowKey={({ _id }) => _id}
          rowText={nameOf}
          rowHeight={44}
          settings={settings}
          onSettingsChange={view.setSettings}
          onOpen={(personId) => navigate(`edit/${personId}`)}
          narrow={narrowAccount}
        />
      </ListFrame>
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
    </div>
  )
}
