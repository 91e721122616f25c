import { AppLink } from '@pult/sdk'
import type { EdgeJobLine } from '@pult/sdk/api'
import {
  Button,
  DataTable,
  type DataTableColumn,
  type DataTableProps,
  StateChip,
  TimeAgo,
} from '@pult/sdk/ui'
import { useMemo } from 'react'
import { statusOfState } from './job-state.ts'
import styles from './jobs.module.css'
import { texts } from './jobs.texts.ts'

interface JobLinesProps extends Pick<DataTableProps<EdgeJobLine>, 'page' | 'settings' | 'onSettingsChange'> {
  lines: readonly EdgeJobLine[] | undefined
  onLog: (line: EdgeJobLine) => void
}

/** The edges of a job with state and result. */
export function JobLines({ lines, onLog, ...arranged }: JobLinesProps) {
  const columns = useMemo(() => columnsOf(onLog), [onLog])
  const narrow = useMemo(
    () => (line: EdgeJobLine) => (
      <span className={styles.narrow}>
        <Name line={line} />
        <State line={line} />
        <span className={`${styles.quiet} ${styles.cut}`}>{infoOf(line)}</span>
      </span>
    ),
    [],
  )
  return (
    <DataTable
      label={texts.job}
      columns={columns}
      rows={lines}
      rowKey={({ _id }) => _id}
      rowText={({ label }) => label}
      rowHeight={46}
      {...arranged}
      onOpen={(key) => {
        const line = lines?.find(({ _id }) => _id === key)
        if (line !== undefined) onLog(line)
      }}
      narrow={narrow}
    />
  )
}

const infos: Record<string, string> = texts.infos

const infoOf = ({ info }: EdgeJobLine) => (info === null ? texts.noValue : (infos[info] ?? info))

const Name = ({ line: { edge, label } }: { line: EdgeJobLine }) =>
  edge === null ? label : <AppLink to={`edit/${edge}`}>{label}</AppLink>

const State = ({ line: { state } }: { line: EdgeJobLine }) => (
  <StateChip plain status={statusOfState[state]}>
    {texts.states[state]}
  </StateChip>
)

const columnsOf = (onLog: (line: EdgeJobLine) => void): DataTableColumn<EdgeJobLine>[] => [
  {
    id: 'label',
    header: texts.edge,
    kind: 'title',
    width: '1.2fr',
    minWidth: 140,
    cell: (line) => <Name line={line} />,
  },
  { id: 'state', header: texts.state, width: 150, minWidth: 130, cell: (line) => <State line={line} /> },
  {
    id: 'info',
    header: texts.result,
    width: '2.4fr',
    minWidth: 200,
    cell: (line) => (
      <span className={styles.cut} title={infoOf(line)}>
        {infoOf(line)}
      </span>
    ),
  },
  {
    id: 'ended',
    header: texts.ended,
    kind: 'number',
    width: 112,
    cell: ({ endedAt }) => (endedAt === null ? texts.noValue : <TimeAgo at={endedAt} />),
  },
  {
    id: 'log',
    header: texts.log,
    kind: 'actions',
    width: 100,
    cell: (line) =>
      line.lines > 0 && (
        <Button variant="ghost" aria-label={texts.logOf(line.label)} onClick={() => onLog(line)}>
          {texts.log}
        </Button>
      ),
  },
]
