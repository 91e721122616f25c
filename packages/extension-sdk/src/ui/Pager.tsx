import { Button } from '@pult/ui'
import type { PagedListState } from '../paged-list.ts'
import { StaleNote } from '../stale/StaleNote.tsx'
import { useTexts } from '../texts.ts'
import styles from './Pager.module.css'

const catalogues = {
  de: {
    page: (number: number) => `Page ${number}`,
    rows: (first: number, last: number) => `Rows ${first} to ${last}`,
    previous: 'Previous page',
    next: 'Next page',
  },
  'de-DE': {
    page: (number: number) => `Seite ${number}`,
    rows: (first: number, last: number) => `Zeilen ${first} bis ${last}`,
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
  },
}

export interface PagerProps {
  /** Result of `usePagedList`. */
  list: Pick<
    PagedListState<unknown>,
    'items' | 'total' | 'isCapped' | 'pageIndex' | 'before' | 'goNext' | 'goBack' | 'staleSince'
  >
  /** Accessible name of the pages: "Pages of accounts". */
  label: string
  /** Formats the number of records: "12 accounts", or "more than 10,000 accounts". */
  count: (total: number, isCapped: boolean) => string
  /** @default "Previous page" */
  previousLabel?: string
  /** @default "Next page" */
  nextLabel?: string
}

/**
 * Shows the number of records, links to the next pages, and the age of a list that could not be read again.
 *
 * @example <Pager list={list} label="Pages of cues" count={(total) => `${total} cues`} />
 */
export function Pager({ list, label, count, previousLabel, nextLabel }: PagerProps) {
  const { items, total, isCapped, pageIndex, before, goNext, goBack, staleSince } = list
  const texts = useTexts(catalogues)
  if (items === undefined || (items.length === 0 && goBack === null)) return null
  const hasPages = (goNext ?? goBack) !== null
  return (
    <nav className={styles.pager} aria-label={label}>
      <span className={styles.count} role="status">
        {count(total, isCapped)}
        {hasPages && ` · ${texts.page(pageIndex + 1)}`}
      </span>
      {hasPages && items.length > 0 && (
        <span className={styles.rows}>{texts.rows(before + 1, before + items.length)}</span>
      )}
      <StaleNote since={staleSince} />
      {hasPages && (
        <>
          <Button disabled={goBack === null} onClick={goBack ?? undefined}>
            {previousLabel ?? texts.previous}
          </Button>
          <Button disabled={goNext === null} onClick={goNext ?? undefined}>
            {nextLabel ?? texts.next}
          </Button>
        </>
      )}
    </nav>
  )
}
