import { useDownload, useNotify, useRun } from '@pult/sdk'
import { type AuditRow, type AuditSort, auditEndpoints } from '@pult/sdk/api/root'
import { ListFrame, useListView } from '@pult/sdk/resource'
import {
  Badge,
  Button,
  Card,
  ColumnChoice,
  DataTable,
  type DataTableColumn,
  EmptyState,
  FilterChips,
  formatInstant,
  ListSearch,
  Menu,
  MenuItem,
  MenuTrigger,
  StateChip,
} from '@pult/sdk/ui'
import Download from 'lucide-react/icons/download'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useId, useMemo, useState } from 'react'
import styles from './audit.module.css'
import { newsCounted, useEvents, useNewsCount } from './audit.queries.ts'
import { labelOf, texts } from './audit.texts.ts'
import { type Filter, filterOf, isLocalTime, queryOf } from './audit-filter.ts'
import { EventDialog } from './EventDialog.tsx'
import { Filters } from './Filters.tsx'
import { actorNameOf, targetOf } from './names.ts'

const sorts: AuditSort[] = ['-at', 'at']
const results = ['success', 'failure'] as const
const statusOf = { success: 'ok', failure: 'failed' } as const
const filters = {
  result: results,
  who: 'text',
  what: 'text',
  target: 'text',
  inProject: 'text',
  from: isLocalTime,
  until: isLocalTime,
} as const
const searchKeys = ['event', 'result', 'actor', 'target', 'address', 'project']

/** The events of the installation, newest first unless sorted otherwise. */
export function AuditPage() {
  const view = useListView({ sorts, usualSort: '-at', filters })
  const { search, sort, settings } = view
  const { result, ...others } = view.filters
  const filter = filterOf({ search, ...view.filters })
  const set = Object.values(others).filter((value) => value !== null).length
  const [isOpen, setOpen] = useState(set > 0)
  const [cleared, setCleared] = useState(0)
  const more = useId()
  const list = useEvents(filter, sort)
  const [shown, setShown] = useState<AuditRow | null>(null)
  const [isShowing, setShowing] = useState(false)
  const [show] = useState(() => (row: AuditRow) => {
    setShown(row)
    setShowing(true)
  })
  const columns = useMemo(() => columnsOf(show), [show])
  const narrowEvent = useMemo(() => narrowEventOf(show), [show])
  const clear = () => {
    view.clear()
    // Remounts the fields, which may contain text that has not been debounced yet.
    setCleared(cleared + 1)
  }
  const isNewestFirst = sort === '-at'
  return (
    <>
      <ListFrame
        list={list}
        isFiltered={view.isFiltered}
        onClear={clear}
        notUnderstood={view.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{
          label: texts.pages,
          count: texts.count,
          previousLabel: isNewestFirst ? texts.newerPage : texts.olderPage,
          nextLabel: isNewestFirst ? texts.olderPage : texts.newerPage,
        }}
        empty={<EmptyState title={texts.nothingFound} />}
        search={
          <ListSearch label={texts.search} value={view.typed} onChange={view.setTyped} keys={searchKeys} />
        }
        filters={
          <>
            <FilterChips
              label={texts.result}
              value={result}
              onChange={(next) => view.setFilters({ result: next })}
              chips={results.map((value) => ({ value, label: texts[value], status: statusOf[value] }))}
            />
            <Button
              variant="ghost"
              icon={<SlidersHorizontal aria-hidden="true" />}
              aria-expanded={isOpen}
              aria-controls={isOpen ? more : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              {texts.filters}
              <Badge count={set} label={texts.filtersSet(set)} />
            </Button>
          </>
        }
        columnChoice={
          <ColumnChoice
            label={texts.columns}
            columns={columns}
            settings={settings}
            onSettingsChange={view.setSettings}
          />
        }
        tools={<Exports filter={filter} />}
        above={
          isOpen && (
            <Card>
              <Filters
                key={cleared}
                id={more}
                filter={filter}
                onChange={(changes) => view.setFilters(changes as typeof others)}
              />
              {view.isFiltered && <Button onClick={clear}>{texts.clear}</Button>}
            </Card>
          )
        }
        notes={
          <>
            {isNewestFirst && list.pageIndex === 0 && list.items !== undefined && !list.isWaiting && (
              <News filter={filter} newest={list.items[0]} onShow={list.retry} />
            )}
            {list.isCapped && search !== '' && <p className={styles.bound}>{texts.searchBound}</p>}
          </>
        }
      >
        <DataTable
          label={texts.log}
          columns={columns}
          rows={list.items}
          page={list}
          rowKey={({ _id }) => _id}
          rowText={({ event, at }) => `${labelOf(event)}, ${formatInstant(at)}`}
          settings={settings}
          onSettingsChange={view.setSettings}
          onOpen={(id) => {
            const row = list.items?.find(({ _id }) => _id === id)
            if (row !== undefined) show(row)
          }}
          narrow={narrowEvent}
        />
      </ListFrame>
      {shown !== null && <EventDialog row={shown} open={isShowing} onClose={() => setShowing(false)} />}
    </>
  )
}

const columnsOf = (onShow: (row: AuditRow) => void): DataTableColumn<AuditRow>[] => [
  {
    id: 'what',
    header: texts.what,
    kind: 'title',
    width: '1.6fr',
    minWidth: 140,
    cell: (row) => <Title row={row} onShow={onShow} />,
  },
  {
    id: 'at',
    header: texts.when,
    width: '1.2fr',
    minWidth: 176,
    sortBy: 'given',
    sortsFirst: 'descending',
    cell: ({ at }) => <time dateTime={at}>{formatInstant(at)}</time>,
  },
  { id: 'result', header: texts.result, width: 92, cell: ({ result }) => <Result result={result} /> },
  {
    id: 'who',
    header: texts.who,
    minWidth: 90,
    cell: (row) => <span className={styles.cut}>{actorNameOf(row)}</span>,
  },
  {
    id: 'target',
    header: texts.target,
    minWidth: 80,
    cell: (row) => (
      <span className={styles.cut} title={targetOf(row)}>
        {targetOf(row)}
      </span>
    ),
  },
  {
    id: 'address',
    header: texts.address,
    minWidth: 90,
    cell: ({ address }) => <span className={styles.cut}>{address}</span>,
  },
]

interface TitleProps {
  row: AuditRow
  onShow: (row: AuditRow) => void
}

/** Opens the details of the event. */
function Title({ row, onShow }: TitleProps) {
  return (
    <button
      type="button"
      className={styles.title}
      aria-label={texts.detailsOf(labelOf(row.event), formatInstant(row.at))}
      onClick={() => onShow(row)}
    >
      {labelOf(row.event)}
    </button>
  )
}

/** Row of an event on a phone: its name and result, then its time and actor. */
const narrowEventOf = (onShow: (row: AuditRow) => void) => (row: AuditRow) => (
  <span className={styles.narrow}>
    <Title row={row} onShow={onShow} />
    <Result result={row.result} />
    <span className={styles.narrowFacts}>
      {formatInstant(row.at)} · {actorNameOf(row)}
    </span>
  </span>
)

function Result({ result }: Pick<AuditRow, 'result'>) {
  return result === 'success' ? (
    <StateChip plain status="ok">
      {texts.success}
    </StateChip>
  ) : (
    <StateChip plain status="failed">
      {texts.failure}
    </StateChip>
  )
}

interface NewsProps {
  filter: Filter
  newest: AuditRow | undefined
  onShow: () => void
}

/** Announces newer events and loads them on request, so that rows do not move while the user reads. */
function News({ filter, newest, onShow }: NewsProps) {
  const count = useNewsCount(filter, newest)
  return (
    <div className={styles.news} role="status">
      {count > 0 && (
        <Button onClick={onShow}>{texts.newest(Math.min(count, newsCounted), count > newsCounted)}</Button>
      )}
    </div>
  )
}

/** Exports the filtered events as a file. */
function Exports({ filter }: { filter: Filter }) {
  const download = useDownload()
  const notify = useNotify()
  const save = useRun(
    (format: 'csv' | 'jsonl') => download(auditEndpoints.export, { query: { ...queryOf(filter), format } }),
    { onError: (error) => notify({ title: texts.exportFailed, error }) },
  )
  return (
    <MenuTrigger>
      <Button icon={<Download />} pending={save.isPending} pendingLabel={texts.exporting}>
        {texts.export}
      </Button>
      <Menu label={texts.export} placement="bottom end">
        <MenuItem onAction={() => save.mutate('csv')}>{texts.exportCsv}</MenuItem>
        <MenuItem onAction={() => save.mutate('jsonl')}>{texts.exportJson}</MenuItem>
      </Menu>
    </MenuTrigger>
  )
}
