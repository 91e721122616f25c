import { AppLink, usePageQuery, useRole } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { useTypedValue, Waiting } from '@pult/sdk/resource'
import { Button, Card, EmptyState, ListSearch, Pager, Table, type TableColumn, TimeAgo } from '@pult/sdk/ui'
import { useState } from 'react'
import { EdgePresence } from './EdgePresence.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import styles from './edges.module.css'
import { useEdgeList } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { Meter } from './Meter.tsx'
import { loadShare, usedShare } from './measures.ts'

const columns: TableColumn<Edge>[] = [
  {
    header: texts.name,
    kind: 'title',
    cell: ({ _id, label }) => (
      <AppLink to={_id} className={styles.rowLink ?? ''}>
        {label}
      </AppLink>
    ),
  },
  { header: texts.state, cell: (edge) => <EdgePresence edge={edge} /> },
  { header: texts.load, cell: (edge) => measured(texts.load, edge, loadShare(edge)) },
  { header: texts.disk, cell: (edge) => measured(texts.disk, edge, usedShare(edge.report?.disk)) },
  { header: texts.version, cell: ({ version }) => version },
  {
    header: texts.lastSeen,
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? texts.never : <TimeAgo at={lastSeenAt} />),
  },
]

/** What was measured before an edge went away says nothing about now. */
const measured = (what: string, { state, label }: Edge, share: number | null) =>
  state === 'online' && share !== null ? <Meter label={`${what}: ${label}`} share={share} /> : null

/** The edges of the project, and how another one gets in. */
export function EdgesPage() {
  const [{ search = '' }, changeQuery] = usePageQuery()
  const [typed, setTyped] = useTypedValue(search, (text) => changeQuery({ search: text }))
  const [isAdding, setAdding] = useState(false)
  const mayManage = useRole('edges:manage')
  const list = useEdgeList(search)
  const isEmpty = list.items?.length === 0
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  const isNew = isEmpty && search === '' && list.pageIndex === 0

  return (
    <div className={styles.page}>
      {!isNew && (
        <div className={styles.toolbar}>
          <div className={styles.search}>
            <ListSearch
              label={texts.search}
              value={typed}
              onChange={setTyped}
              keys={['label', 'state', 'version']}
            />
          </div>
          {mayManage && add}
        </div>
      )}
      <Card flush>
        {list.error !== null && list.items === undefined ? (
          <Waiting failed={texts.loadingFailed} error={list.error} onRetry={list.retry} />
        ) : isNew ? (
          <EmptyState
            title={texts.none}
            text={mayManage ? texts.noneText : texts.noneTextReader}
            action={mayManage && add}
          />
        ) : isEmpty ? (
          <EmptyState title={texts.nothingFound} text={texts.nothingFoundText} />
        ) : (
          <Table label={texts.edges} columns={columns} rows={list.items} rowKey={({ _id }) => _id} />
        )}
        <Pager list={list} label={texts.pages} count={texts.count} />
      </Card>
      {isAdding && <EnrolDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
