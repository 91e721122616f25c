import type { Organisation } from '@pult/contract'
import { Waiting } from '@pult/sdk/resource'
import {
  Button,
  ButtonLink,
  Card,
  EmptyState,
  formatInstant,
  Link,
  PageHeader,
  Table,
  type TableColumn,
  TextField,
} from '@pult/ui'
import Building2 from 'lucide-react/icons/building-2'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { usePageTitle } from '#platform/page-title.ts'
import styles from './Organisations.module.css'
import { useOrganisationList } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** Fewer are seen at a glance. */
const worthSearching = 8

const columns: TableColumn<Organisation>[] = [
  {
    header: texts.label,
    kind: 'title',
    cell: ({ _id, label }) => (
      <Link {...arrowStop} href={`/orgs/${_id}`}>
        {label}
      </Link>
    ),
  },
  { header: texts.owner, cell: ({ access, ownerName }) => (access === 'owner' ? texts.you : ownerName) },
  {
    header: texts.changed,
    cell: ({ updatedAt }) => <time dateTime={updatedAt}>{formatInstant(updatedAt)}</time>,
  },
]

/** The organisations that the person belongs to. */
export function OrganisationsPage() {
  usePageTitle(texts.title)
  const [search, setSearch] = useState('')
  const page = useArrowKeys<HTMLDivElement>()
  const { items, total, isSearching, error, retry, more } = useOrganisationList(search)
  return (
    <div className={styles.page} ref={page}>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <ButtonLink variant="primary" href="/orgs/create" icon={<Plus aria-hidden="true" />}>
            {texts.create}
          </ButtonLink>
        }
      />
      {(total > worthSearching || search !== '') && (
        <TextField
          {...arrowStop}
          className={styles.search}
          type="search"
          label={texts.search}
          hideLabel
          placeholder={texts.search}
          description={isSearching && texts.searching}
          prefix={<Search aria-hidden="true" />}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <Card flush>
        {items === undefined || error !== null ? (
          <Waiting failed={texts.loadingFailed} error={error} onRetry={retry} />
        ) : items.length > 0 ? (
          <Table label={texts.title} columns={columns} rows={items} rowKey={({ _id }) => _id} />
        ) : isSearching ? (
          <Waiting failed={texts.loadingFailed} error={null} onRetry={retry} />
        ) : search.trim() !== '' ? (
          <EmptyState
            icon={<Search aria-hidden="true" />}
            title={texts.nothingFound}
            text={texts.nothingFoundText}
          />
        ) : (
          <EmptyState
            icon={<Building2 aria-hidden="true" />}
            title={texts.none}
            text={texts.noneText}
            action={
              <ButtonLink variant="primary" href="/orgs/create">
                {texts.create}
              </ButtonLink>
            }
          />
        )}
      </Card>
      {more && (
        <div className={styles.more}>
          <Button onClick={more.load} pending={more.isPending}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  )
}
