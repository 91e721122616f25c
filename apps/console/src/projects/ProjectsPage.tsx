import type { OverviewSort, ProjectState } from '@pult/contract'
import { useHotkey, usePageQuery } from '@pult/sdk'
import { NotUnderstoodNote, notUnderstoodIn, Waiting } from '@pult/sdk/resource'
import { ListSearch } from '@pult/sdk/ui'
import { ButtonLink, Card, EmptyState, Page, PageHead, SelectField, VisuallyHidden } from '@pult/ui'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { useArrowKeys } from '#platform/arrow-keys.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { goTo } from '#platform/go-to.ts'
import { letterKeys } from '#platform/letter-keys.ts'
import { ShowMore } from '#platform/searched-list/ShowMore.tsx'
import { useAddressSearch } from '#platform/searched-list/use-address-search.ts'
import { useStore } from '#platform/use-store.ts'
import { OverviewSide } from './OverviewSide.tsx'
import { OverviewTotals } from './OverviewTotals.tsx'
import { overviewEvery, useOverview } from './overview.queries.ts'
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
  const parameters = notUnderstoodIn(query, { sort: sorts })
  const page = useArrowKeys<HTMLDivElement>()
  const overview = useOverview({ search, sort })
  const { items, total, foundTotal, isSearching, error, retry, more, summary, all, question, reading } =
    overview
  const state = useCardState(reading, { usual: overviewEvery, skeleton: null, failed: texts.loadingFailed })
  const isSearched = search.trim() !== ''
  const hasKey = useStore(letterKeys) === 'on'
  useHotkey('c', () => goTo('/projects/create'), { label: texts.create })
  return (
    <div ref={page}>
      <Page
        width="data"
        className={styles.page}
        head={
          <PageHead
            title={texts.title}
            text={all === null || all.length === 0 ? texts.description : countsOf(all)}
            actions={
              <>
                {(total > 0 || search !== '') && (
                  <>
                    <div className={styles.search}>
                      <ListSearch
                        label={texts.search}
                        value={search}
                        onChange={setSearch}
                        keys={searchKeys}
                      />
                    </div>
                    <SelectField
                      className={styles.sort}
                      label={texts.sort}
                      hideLabel
                      value={sort}
                      onChange={({ target }) =>
                        changeQuery({ sort: target.value === 'worst' ? '' : target.value })
                      }
                    >
                      {sorts.map((one) => (
                        <option key={one} value={one}>
                          {texts.sorts[one]}
                        </option>
                      ))}
                    </SelectField>
                  </>
                )}
                <ButtonLink
                  variant="primary"
                  href="/projects/create"
                  icon={<Plus aria-hidden="true" />}
                  shortcut={hasKey ? 'C' : undefined}
                >
                  {texts.create}
                </ButtonLink>
              </>
            }
          />
        }
        side={summary !== null && total > 0 && <OverviewSide {...{ summary, state }} />}
      >
        {summary !== null && total > 0 && <OverviewTotals {...{ summary, state }} />}
        <VisuallyHidden role="status">
          {isSearched && (isSearching ? texts.searching : texts.found(foundTotal ?? 0))}
        </VisuallyHidden>
        {parameters.length > 0 ? (
          <Card flush>
            <NotUnderstoodNote parameters={parameters} onRemove={() => changeQuery({ sort: '' })} />
          </Card>
        ) : items === undefined || (error !== null && items.length === 0) ? (
          <Card flush>
            <Waiting failed={texts.loadingFailed} error={error} onRetry={retry} />
          </Card>
        ) : items.length === 0 ? (
          !isSearching && <NoProjects isSearched={isSearched} />
        ) : (
          <ProjectGroups
            label={texts.title}
            projects={items}
            isWhole={more === null}
            {...{ sort, question, state }}
          />
        )}
        {parameters.length === 0 && <ShowMore more={more} label={texts.more} />}
      </Page>
    </div>
  )
}

function countsOf(projects: readonly ProjectState[]): string {
  const organisations = projects.flatMap(({ org }) => (org === null ? [] : [org]))
  const { length } = organisations
  return texts.counts(length, new Set(organisations).size, projects.length - length)
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
