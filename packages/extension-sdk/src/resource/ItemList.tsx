import { Skeleton, textScale } from '@pult/ui'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import styles from './ItemList.module.css'
import { LoadingFailed } from './LoadingFailed.tsx'
import type { ListPage, Row } from './list-page.ts'
import { useResourceTexts } from './resource.texts.ts'
import type { CompleteView, RecordItem } from './resource-view.ts'
import { rowOf, rowStop, useListKeys } from './use-list-keys.ts'
import { usePages } from './use-pages.ts'
import type { ResourceCalls } from './use-resource.ts'
import { useRowsInView } from './use-rows-in-view.ts'

/** Height of a row in pixels of the usual font size. All rows have the same, so that positions follow from indices. */
const usualRowHeight = 52

/** Maximum number of rows that are searched for the open record, so that the search of a long list stays fast. */
const farthest = 1000

interface ItemListProps {
  view: CompleteView
  calls: ResourceCalls<RecordItem>
  search: string
  /** The first page. */
  head: ListPage<RecordItem>
  /** Id of the open record. */
  currentId: string | undefined
}

/**
 * Renders the records as links. The document contains only those in view. One link is a tab stop. Keys reach the
 * others: see {@link useListKeys}.
 */
export function ItemList({ view, calls, search, head, currentId }: ItemListProps) {
  const texts = useResourceTexts()
  // Rows grow with their texts.
  const [rowHeight] = useState(() => Math.round(usualRowHeight * textScale()))
  const [list, drawn, inView] = useRowsInView<HTMLElement>(rowHeight)
  const { count, rowAt, error, retry } = usePages(calls, search, head, inView)
  const [stop, setStop] = useState(0)

  const labelAt = (index: number) => {
    const row = rowAt(index)
    return row && view.labelOf(row.item)
  }
  const scrollTo = (index: number) => list.current && scrollIntoView(list.current, index, rowHeight)
  const move = useListKeys({ list, count, labelAt, scrollTo })

  const findOpened = (id: string) => {
    for (let index = 0; index < Math.min(count, farthest); index += 1)
      if (rowAt(index)?.id === id) return index
    return null
  }
  useOpenedRow(currentId, (id) => {
    const index = findOpened(id)
    if (index !== null) {
      setStop(index)
      scrollTo(index)
    }
  })

  // The tab stop stays in the document, so that it keeps the focus.
  const tabStop = Math.min(stop, count - 1)
  const last = Math.min(drawn.last, count - 1)
  const shown = Array.from({ length: Math.max(0, last - drawn.first + 1) }, (_row, at) => drawn.first + at)
  if (!shown.includes(tabStop)) shown.splice(tabStop < drawn.first ? 0 : shown.length, 0, tabStop)
  return (
    <>
      {error && <LoadingFailed title={texts.loadingFailed} error={error} onRetry={retry} />}
      <nav ref={list} className={styles.scroller} aria-label={view.texts.title}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of the links in it */}
        <ul
          className={styles.list}
          style={{ height: count * rowHeight }}
          onKeyDown={move}
          onFocus={({ target }) => setStop(rowOf(target) ?? 0)}
        >
          {shown.map((index) => {
            const row = rowAt(index)
            return (
              <li
                key={row?.id ?? index}
                className={styles.row}
                style={{ top: index * rowHeight, height: rowHeight }}
                aria-posinset={index + 1}
                aria-setsize={head.isCapped ? -1 : count}
              >
                {row ? (
                  <ItemLink
                    view={view}
                    row={row}
                    index={index}
                    isCurrent={row.id === currentId}
                    isTabStop={index === tabStop}
                  />
                ) : (
                  <AwaitedItem index={index} />
                )}
              </li>
            )
          })}
        </ul>
      </nav>
    </>
  )
}

interface ItemLinkProps {
  view: CompleteView
  row: Row<RecordItem>
  index: number
  isCurrent: boolean
  isTabStop: boolean
}

function ItemLink({ view, row: { id, item }, index, isCurrent, isTabStop }: ItemLinkProps) {
  return (
    <Link
      {...rowStop(index)}
      to={`${view.path}/edit/${encodeURIComponent(id)}`}
      className={styles.link}
      aria-current={isCurrent ? 'page' : undefined}
      tabIndex={isTabStop ? 0 : -1}
    >
      <span className={styles.texts}>
        <span className={styles.label}>{view.labelOf(item)}</span>
        {view.detailOf && <span className={styles.detail}>{view.detailOf(item)}</span>}
      </span>
      {view.markOf?.(item)}
    </Link>
  )
}

/** Renders skeletons of different widths, like labels. */
function AwaitedItem({ index }: { index: number }) {
  return (
    <span className={styles.awaited}>
      <Skeleton width={`${40 + ((index * 37) % 45)}%`} />
    </span>
  )
}

/** Scrolls to the row of a record when it is opened, and again when the user returns from it. */
function useOpenedRow(currentId: string | undefined, show: (id: string) => void): void {
  const opened = useRef(currentId)
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    opened.current = currentId ?? opened.current
    if (opened.current !== undefined) latest.current(opened.current)
  }, [currentId])
}

function scrollIntoView(scroller: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight
  const lowest = top + rowHeight - scroller.clientHeight
  scroller.scrollTop = Math.max(lowest, Math.min(scroller.scrollTop, top))
}
