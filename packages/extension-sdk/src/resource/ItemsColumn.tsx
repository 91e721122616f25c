import { ButtonLink, EmptyState, VisuallyHidden } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, useState } from 'react'
import { useMatch } from 'react-router'
import { useSettled } from '../forms/use-settled.ts'
import { ListSearch } from '../ui/ListSearch.tsx'
import { type Format, useFormat } from '../use-format.ts'
import { ItemList } from './ItemList.tsx'
import styles from './ItemsColumn.module.css'
import type { ListPage } from './list-page.ts'
import { useResourceTexts } from './resource.texts.ts'
import type { CompleteView, RecordItem } from './resource-view.ts'
import type { ResourceCalls } from './use-resource.ts'
import { Waiting } from './Waiting.tsx'

const typingPause = 250

interface ItemsColumnProps {
  view: CompleteView
  calls: ResourceCalls<RecordItem>
  search: string
  onSearch: (text: string) => void
}

/** Renders the records of a resource, their search, and a link to create one. */
export function ItemsColumn({ view, calls, search, onSearch }: ItemsColumnProps) {
  const texts = useResourceTexts()
  const format = useFormat()
  const settled = useSettled(search.trim(), typingPause)
  const { data: head, error, refetch } = useQuery(calls.page(settled, null))
  // The previous results stay until the response arrives.
  const [answered, setAnswered] = useState<{ search: string; head: ListPage<RecordItem> } | null>(null)
  if (head !== undefined && (answered?.search !== settled || answered.head !== head)) {
    setAnswered({ search: settled, head })
  }
  const currentId = useMatch(`${view.path}/edit/:itemId`)?.params.itemId
  const isAnswered = head !== undefined && settled === search.trim()

  const enterList = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    const stop = event.currentTarget.closest('section')?.querySelector<HTMLElement>('li [tabindex="0"]')
    if (!stop) return
    event.preventDefault()
    stop.focus()
  }

  return (
    <section className={styles.column} aria-label={view.texts.title} aria-busy={!isAnswered}>
      <header className={styles.header}>
        <h2 className={styles.title}>
          {view.texts.title}
          {answered && <data className={styles.total}>{countOf(answered.head, format)}</data>}
        </h2>
        <ButtonLink variant="primary" href={`${view.path}/create`} icon={<Plus aria-hidden="true" />}>
          {texts.create}
        </ButtonLink>
      </header>
      <ListSearch
        label={view.texts.search}
        keys={view.searchKeys}
        value={search}
        onChange={onSearch}
        onKeyDown={enterList}
      />
      <VisuallyHidden role="status">
        {isAnswered
          ? settled !== '' && texts.found(countOf(head, format))
          : error === null && texts.searching}
      </VisuallyHidden>
      {answered === null || (error !== null && head === undefined) ? (
        <Waiting failed={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
      ) : answered.head.rows.length > 0 ? (
        <ItemList
          key={answered.search}
          view={view}
          calls={calls}
          search={answered.search}
          head={answered.head}
          currentId={currentId}
        />
      ) : answered.search === '' ? (
        <EmptyState level={3} icon={view.icon} title={view.texts.none} text={view.texts.noneText} />
      ) : (
        <EmptyState
          level={3}
          icon={<Search aria-hidden="true" />}
          title={texts.nothingFound}
          text={texts.nothingFoundText}
        />
      )}
    </section>
  )
}

/** Formats the number of records: "10.000+" above the limit of the count. */
function countOf({ total, isCapped }: ListPage<RecordItem>, format: Format): string {
  return format.number(total) + (isCapped ? '+' : '')
}
