import { Button, Card, EmptyState } from '@pult/ui'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import type { PagedListState } from '../paged-list.ts'
import { LoadingFailed } from '../resource/LoadingFailed.tsx'
import { useTexts } from '../texts.ts'
import { keepFocus } from '../ui/keep-focus.ts'
import { Pager, type PagerProps } from '../ui/Pager.tsx'
import styles from './ListFrame.module.css'
import { NotUnderstoodNote, type NotUnderstoodNoteProps } from './NotUnderstoodNote.tsx'

const catalogues = {
  de: {
    nothingFoundText: 'No entry matches the search and the filters.',
    clearFilters: 'Clear filters',
    emptyPage: 'This page is empty',
    firstPage: 'First page',
  },
  'de-DE': {
    nothingFoundText: 'Kein Eintrag passt zur Suche und zu den Filtern.',
    clearFilters: 'Filter aufheben',
    emptyPage: 'Diese Seite ist leer',
    firstPage: 'Erste Seite',
  },
}

export interface ListFrameProps {
  /** Result of `usePagedList` or `wholeListOf`. */
  list: Pick<
    PagedListState<unknown>,
    | 'items'
    | 'total'
    | 'isCapped'
    | 'pageIndex'
    | 'before'
    | 'isWaiting'
    | 'error'
    | 'staleSince'
    | 'retry'
    | 'goNext'
    | 'goBack'
    | 'goFirst'
  >
  /** A ListSearch. */
  search?: ReactNode
  /** Content beside the search: FilterChips. */
  filters?: ReactNode
  /** A ColumnChoice at the end. Hidden on phones, where rows have no columns. */
  columnChoice?: ReactNode
  /** Controls at the end: the order, the button that adds a record. */
  tools?: ReactNode
  /** Set if the search or a filter hides records. */
  isFiltered: boolean
  /** Clears the search and the filters. */
  onClear: () => void
  /** `notUnderstood` of the list's view. While the address contains such a part, the frame names it and shows no records. */
  notUnderstood?: NotUnderstoodNoteProps
  /** Title of a failed load: "The edges could not be loaded". */
  failed: string
  /** Title if no record matches: "No edge found". */
  nothingFound: string
  /**
   * An EmptyState for a list without records. It offers the next step, or names the role that can add the first record.
   */
  empty: ReactNode
  /** Accessible name of the pages, and the number of records in words. */
  pages: Pick<PagerProps, 'label' | 'count' | 'previousLabel' | 'nextLabel'>
  /** Content between the toolbar and the card. */
  above?: ReactNode
  /** Content inside the card, above the table. */
  notes?: ReactNode
  /** Omits the card around the rows, for tiles. */
  isBare?: boolean
  /** The table, which shows skeletons while its rows are undefined. */
  children: ReactNode
}

/**
 * Renders the frame of a list: search, filters and tools above a card with the table and its pages. It replaces the
 * table if the list has failed to load, is empty or has no matches. A list without records has no toolbar, because its
 * empty state offers the next step.
 *
 * @example
 * <ListFrame list={list} search={<ListSearch … />} isFiltered={view.isFiltered} onClear={view.clear} failed="Cues could not be
 *   loaded" nothingFound="No cue found" empty={<EmptyState title="No cues yet" />} pages={{ label: 'Pages of cues', count }}>
 *   <DataTable rows={list.items} … />
 * </ListFrame>
 */
export function ListFrame(props: ListFrameProps) {
  const { list, search, filters, columnChoice, tools, isFiltered, notes, pages, isBare = false } = props
  const isEmpty = list.items?.length === 0
  const rows = useRef<HTMLDivElement>(null)
  // The available filters depend on the counts and the records.
  const held = list.items === undefined && list.error === null ? '' : undefined
  const unknown = (props.notUnderstood?.parameters.length ?? 0) > 0 ? props.notUnderstood : undefined
  const hasNothing = isEmpty && !isFiltered && unknown === undefined && list.pageIndex === 0
  return (
    <div className={styles.frame}>
      {!hasNothing && (
        <div className={styles.toolbar}>
          <div className={styles.filters}>
            {search !== undefined && (
              // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the field inside handles the keys
              <div className={styles.search} onKeyDown={(event) => enterRows(event, rows.current)}>
                {search}
              </div>
            )}
            {filters !== undefined && (
              <div className={styles.chosen} data-held={held}>
                {filters}
              </div>
            )}
          </div>
          <div className={styles.tools} data-held={held}>
            {columnChoice && <span className={styles.columnChoice}>{columnChoice}</span>}
            {unknown === undefined && tools}
          </div>
        </div>
      )}
      {props.above}
      <Card
        ref={keepFocus}
        tabIndex={-1}
        className={isBare && !isEmpty ? styles.bare : undefined}
        flush
        data-stale={list.staleSince !== null || undefined}
      >
        {unknown === undefined && notes}
        {unknown !== undefined ? (
          <NotUnderstoodNote {...unknown} />
        ) : list.error !== null && list.items === undefined ? (
          <div className={styles.failed}>
            <LoadingFailed title={props.failed} error={list.error} onRetry={list.retry} />
          </div>
        ) : hasNothing ? (
          props.empty
        ) : isEmpty ? (
          <NothingHere {...props} />
        ) : (
          <div ref={rows} className={styles.rows} aria-busy={list.isWaiting || undefined}>
            {props.children}
          </div>
        )}
        {unknown === undefined && <Pager list={list} {...pages} />}
      </Card>
    </div>
  )
}

/** Selects the focus target of a row in a table, a list or a grid of tiles. */
const rowStop = '[role=row][tabindex="0"], li a[href], li button:enabled, li [tabindex="0"]'

/** Moves the focus from the search to the first row on ArrowDown. */
function enterRows(event: KeyboardEvent, rows: HTMLElement | null): void {
  if (event.key !== 'ArrowDown' || event.defaultPrevented) return
  const stop = rows?.querySelector<HTMLElement>(rowStop)
  if (!stop) return
  event.preventDefault()
  stop.focus()
}

type NothingHereProps = Pick<ListFrameProps, 'list' | 'isFiltered' | 'onClear' | 'nothingFound'>

/** Explains an empty page: no record matches the filters, or the records of a later page no longer exist. */
function NothingHere({ list, isFiltered, onClear, nothingFound }: NothingHereProps) {
  const texts = useTexts(catalogues)
  // The earlier pages have matches.
  return list.pageIndex === 0 && isFiltered ? (
    <EmptyState
      title={nothingFound}
      text={texts.nothingFoundText}
      action={<Button onClick={onClear}>{texts.clearFilters}</Button>}
    />
  ) : (
    <EmptyState title={texts.emptyPage} action={<Button onClick={list.goFirst}>{texts.firstPage}</Button>} />
  )
}
