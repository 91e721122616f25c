import type { Organisation } from '@pult/contract'
import { StaleNote, staleSince, Waiting } from '@pult/sdk/resource'
import { ListSearch } from '@pult/sdk/ui'
import {
  ButtonLink,
  Card,
  EmptyState,
  Link,
  Page,
  PageHead,
  Table,
  type TableColumn,
  TimeAgo,
  VisuallyHidden,
} from '@pult/ui'
import Building2 from 'lucide-react/icons/building-2'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { ShowMore } from '#platform/searched-list/ShowMore.tsx'
import { useAddressSearch } from '#platform/searched-list/use-address-search.ts'
import styles from './Organisations.module.css'
import { useOrganisationList } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** A shorter list has no search field. */
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
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
  },
]

/** The user's organisations. */
export function OrganisationsPage() {
  const [search, setSearch] = useAddressSearch()
  const page = useArrowKeys<HTMLDivElement>()
  const { items, total, isSearching, error, retry, more, reading } = useOrganisationList(search)
  const stale = staleSince(reading)
  return (
    <div ref={page}>
      <Page
        width="data"
        head={
          <PageHead
            title={texts.title}
            text={texts.description}
            actions={
              <ButtonLink variant="primary" href="/orgs/create" icon={<Plus aria-hidden="true" />}>
                {texts.create}
              </ButtonLink>
            }
          />
        }
      >
        {(total > worthSearching || search !== '') && (
          <div className={styles.search}>
            <ListSearch label={texts.search} value={search} onChange={setSearch} />
          </div>
        )}
        <VisuallyHidden role="status">{isSearching && texts.searching}</VisuallyHidden>
        <Card flush>
          {items === undefined || (error !== null && items.length === 0) ? (
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
          {stale !== null && (
            <p className={styles.stale}>
              <StaleNote since={stale} />
            </p>
          )}
        </Card>
        <ShowMore more={more} label={texts.more} />
      </Page>
    </div>
  )
}
