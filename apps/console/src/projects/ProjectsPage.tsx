import type { OverviewSort } from '@pult/contract'
import { usePageQuery } from '@pult/sdk'
import { Waiting } from '@pult/sdk/resource'
import { ListSearch } from '@pult/sdk/ui'
import { ButtonLink, Card, EmptyState, Page, PageHead, SelectField, VisuallyHidden } from '@pult/ui'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { useArrowKeys } from '#platform/arrow-keys.ts'
import { ShowMore } from '#platform/searched-list/ShowMore.tsx'
import { useAddressSearch } from '#platform/searched-list/use-address-search.ts'
import { OverviewSide } from './OverviewSide.tsx'
import { OverviewTotals } from './OverviewTotals.tsx'
import { useOverview } from './overview.queries.ts'
import { ProjectGroups } from './ProjectGroups.tsx'
import styles from './ProjectsPage.module.css'
import { texts } from './projects.texts.ts'

const searchKeys = ['org', 'customer', 'label', 'private']
const sorts = Object.keys(texts.sorts) as OverviewSort[]

/** The user's projects by organisation with their state. Choosing one makes it the active project. */
export function ProjectsPage() {
  const [search, setSearch] = useAddressSearch()
  const [query, changeQuery] = usePageQuery()
  const sort = sorts.find((one) => one === query['sort']) ?? 'worst'
  const page = useArrowKeys<HTMLDivElement>()
  const { items, total, isSearching, error, retry, more, summary } = useOverview({ search, sort })
  const isSearched = search.trim() !== ''
  return (
    <div ref={page}>
      <Page
        width="data"
        className={styles.page}
        head={
          <PageHead
            title={texts.title}
            text={texts.description}
            actions={
              <ButtonLink variant="primary" href="/projects/create" icon={<Plus aria-hidden="true" />}>
                {texts.create}
              </ButtonLink>
            }
          />
        }
        side={summary !== null && total > 0 && <OverviewSide summary={summary} />}
      >
        {summary !== null && total > 0 && <OverviewTotals summary={summary} />}
        {(total > 0 || search !== '') && (
          <div className={styles.tools}>
            <ListSearch label={texts.search} value={search} onChange={setSearch} keys={searchKeys} />
            <SelectField
              label={texts.sort}
              hideLabel
              value={sort}
              onChange={({ target }) => changeQuery({ sort: target.value === 'worst' ? '' : target.value })}
            >
              {sorts.map((one) => (
                <option key={one} value={one}>
                  {texts.sorts[one]}
                </option>
              ))}
            </SelectField>
          </div>
        )}
        <VisuallyHidden role="status">
          {isSearched && (isSearching ? texts.searching : texts.found(items?.length ?? 0))}
        </VisuallyHidden>
        {items === undefined || (error !== null && items.length === 0) ? (
          <Card flush>
            <Waiting failed={texts.loadingFailed} error={error} onRetry={retry} />
          </Card>
        ) : items.length === 0 ? (
          !isSearching && <NoProjects isSearched={isSearched} />
        ) : (
          <ProjectGroups label={texts.title} projects={items} sort={sort} isWhole={more === null} />
        )}
        <ShowMore more={more} label={texts.more} />
      </Page>
    </div>
  )
}

function NoProjects({ isSearched }: { isSearched: boolean }) {
  return (
    <Card>
      {isSearched ? (
        <EmptyState
          icon={<Search aria-hidden="true" />}
          title={texts.nothingFound}
          text={texts.nothingFoundText}
        />
      ) : (
        <EmptyState
          icon={<FolderPlus aria-hidden="true" />}
          title={texts.none}
          text={texts.noneText}
          action={
            <ButtonLink variant="primary" href="/projects/create">
              {texts.create}
            </ButtonLink>
          }
        />
      )}
    </Card>
  )
}
