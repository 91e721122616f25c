import { useDownload, useNotify, usePageQuery } from '@pult/sdk'
import { type AuditRow, auditEndpoints } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import {
  Button,
  Card,
  EmptyState,
  formatInstant,
  Pager,
  StatusDot,
  Table,
  type TableColumn,
} from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import styles from './audit.module.css'
import { newsCounted, useEvents, useNewsCount } from './audit.queries.ts'
import { labelOf, texts } from './audit.texts.ts'
import { type Filter, filterOf, queryOf } from './audit-filter.ts'
import { EventDialog } from './EventDialog.tsx'
import { Filters } from './Filters.tsx'
import { targetOf, whoOf } from './who.ts'

/** What happened in the installation, the newest first. */
export function AuditPage() {
  const [query, changeQuery] = usePageQuery()
  const filter = filterOf(query)
  const list = useEvents(filter)
  const [shown, setShown] = useState<AuditRow | null>(null)
  const [isShowing, setShowing] = useState(false)
  const show = (row: AuditRow) => {
    setShown(row)
    setShowing(true)
  }
  return (
    <div className={styles.page}>
      <Card>
        <Filters filter={filter} onChange={changeQuery} />
        <Exports filter={filter} />
      </Card>
      <Card flush>
        {list.pageIndex === 0 && list.items !== undefined && !list.isWaiting && (
          <News filter={filter} newest={list.items[0]} onShow={list.retry} />
        )}
        {list.error !== null && list.items === undefined ? (
          <Waiting failed={texts.loadingFailed} error={list.error} onRetry={list.retry} />
        ) : list.items?.length === 0 ? (
          <EmptyState title={texts.nothingFound} text={texts.nothingFoundText} />
        ) : (
          <Table label={texts.log} columns={columnsOf(show)} rows={list.items} rowKey={({ _id }) => _id} />
        )}
        <Pager
          list={list}
          label={texts.pages}
          count={texts.count}
          previousLabel={texts.newerPage}
          nextLabel={texts.olderPage}
        />
      </Card>
      {shown !== null && <EventDialog row={shown} open={isShowing} onClose={() => setShowing(false)} />}
    </div>
  )
}

const columnsOf = (onShow: (row: AuditRow) => void): TableColumn<AuditRow>[] => [
  { header: texts.what, kind: 'title', cell: ({ event }) => labelOf(event) },
  { header: texts.when, cell: ({ at }) => <time dateTime={at}>{formatInstant(at)}</time> },
  { header: texts.result, cell: ({ result }) => <Result result={result} /> },
  { header: texts.who, cell: whoOf },
  {
    header: texts.target,
    cell: (row) => (
      <span className={styles.target} title={targetOf(row)}>
        {targetOf(row)}
      </span>
    ),
  },
  { header: texts.address, cell: ({ address }) => address },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (row) => (
      <Button
        variant="ghost"
        aria-label={texts.detailsOf(labelOf(row.event), formatInstant(row.at))}
        onClick={() => onShow(row)}
      >
        {texts.details}
      </Button>
    ),
  },
]

function Result({ result }: Pick<AuditRow, 'result'>) {
  return result === 'success' ? (
    <StatusDot status="success">{texts.success}</StatusDot>
  ) : (
    <StatusDot status="danger">{texts.failure}</StatusDot>
  )
}

interface NewsProps {
  filter: Filter
  newest: AuditRow | undefined
  onShow: () => void
}

/** Says that there are newer events; they come when they are asked for, so that nothing moves while somebody reads. */
function News({ filter, newest, onShow }: NewsProps) {
  const count = useNewsCount(filter, newest, true)
  return (
    <div className={styles.news} role="status">
      {count > 0 && (
        <Button onClick={onShow}>{texts.newest(Math.min(count, newsCounted), count > newsCounted)}</Button>
      )}
    </div>
  )
}

/** All that the filters leave, as a file. */
function Exports({ filter }: { filter: Filter }) {
  const download = useDownload()
  const notify = useNotify()
  const save = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') =>
      download(auditEndpoints.export, { query: { ...queryOf(filter), format } }),
    onError: ({ message }) => notify({ title: texts.exportFailed, text: message, tone: 'danger' }),
  })
  const isSaving = (format: 'csv' | 'jsonl') => save.isPending && save.variables === format
  return (
    <div className={styles.exports}>
      <Button
        pending={isSaving('csv')}
        pendingLabel={texts.exporting}
        disabled={isSaving('jsonl')}
        onClick={() => save.mutate('csv')}
      >
        {texts.exportCsv}
      </Button>
      <Button
        pending={isSaving('jsonl')}
        pendingLabel={texts.exporting}
        disabled={isSaving('csv')}
        onClick={() => save.mutate('jsonl')}
      >
        {texts.exportJson}
      </Button>
    </div>
  )
}
