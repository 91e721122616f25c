import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import {
  Button,
  Chart,
  ColumnChoice,
  DataCard,
  DataTable,
  type DataTableColumn,
  type DataTableSettings,
  FactList,
  FilterChips,
  IconButton,
  SelectionBar,
  Sparkline,
  StateChip,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

/** Figures that look the same in every run. */
const wave = (index: number, low: number, high: number) =>
  Math.round(low + ((Math.sin(index / 9) + Math.sin(index / 2.7) + 2) / 4) * (high - low))

const start = Date.UTC(2026, 10, 24, 0, 0)
const times = Array.from({ length: 288 }, (_, index) => start + index * 300_000)
const load = times.map((_, index) => (index > 120 && index < 140 ? null : wave(index, 12, 78)))
const memory = times.map((_, index) => (index > 120 && index < 140 ? null : wave(index + 40, 40, 60)))
const percent = (value: number) => `${value}\u202F%`

interface Row {
  id: string
  name: string
  load: number | null
  version: string
}

const rows: Row[] = Array.from({ length: 5000 }, (_, index) => ({
  id: `${index}`,
  name: `Portalkran ${index + 1}`,
  load: index % 9 === 4 ? null : wave(index, 2, 98),
  version: index % 7 === 0 ? '2.3.2' : '2.4.0',
}))
const course = times.slice(0, 48).map((_, index) => wave(index, 10, 70))

const columns: DataTableColumn<Row>[] = [
  {
    id: 'name',
    header: 'Edge',
    kind: 'title',
    cell: ({ name }) => name,
    sortBy: ({ name }) => name,
    width: '2fr',
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <State {...row} />,
    sortBy: (row) => (row.load === null ? 0 : 1),
    minWidth: 110,
  },
  { id: 'course', header: 'Load 24 h', cell: () => <Sparkline values={course} />, minWidth: 110 },
  {
    id: 'load',
    header: 'Load',
    kind: 'number',
    cell: (row) => (row.load === null ? '–' : percent(row.load)),
    sortBy: (row) => row.load,
  },
  { id: 'version', header: 'Agent', cell: ({ version }) => version, sortBy: ({ version }) => version },
  {
    id: 'actions',
    header: 'Actions',
    kind: 'actions',
    width: 56,
    cell: ({ name }) => <IconButton label={`Actions of ${name}`} icon={<Ellipsis />} />,
  },
]

function State({ load: value }: Row) {
  return value === null ? (
    <StateChip status="danger">Offline</StateChip>
  ) : (
    <StateChip status="ok">Online</StateChip>
  )
}

const twoLines = (row: Row) => (
  <span>
    <strong>{row.name}</strong>
    <br />
    <State {...row} /> {row.version}
  </span>
)

export function DataSection() {
  const [settings, setSettings] = useState<DataTableSettings>({
    sort: { column: 'name', direction: 'ascending' },
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['1']))
  const [state, setState] = useState<'online' | 'offline' | null>('offline')
  const [cursor, setCursor] = useState<number | null>(null)
  return (
    <Group title="Data">
      <Specimen caption="Filters: pressed, not pressed, more than counted">
        <FilterChips
          label="State"
          value={state}
          onChange={setState}
          chips={[
            { value: 'online', label: 'Online', count: 10_000, isCapped: true, status: 'ok' },
            { value: 'offline', label: 'Offline', count: 1, status: 'danger' },
          ]}
        />
      </Specimen>
      <DataCard title="Edges, loading" level={3} flush>
        <DataTable
          label="Edges, loading"
          columns={columns}
          rows={undefined}
          rowKey={({ id }) => id}
          rowText={({ name }) => name}
          settings={settings}
          onSettingsChange={setSettings}
          narrow={twoLines}
        />
      </DataCard>
      <DataCard
        title="Edges"
        detail={`${rows.length} edges`}
        level={3}
        flush
        action={
          <ColumnChoice label="Columns" columns={columns} {...{ settings, onSettingsChange: setSettings }} />
        }
      >
        <DataTable
          label="Edges"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowText={({ name }) => name}
          settings={settings}
          onSettingsChange={setSettings}
          selected={selected}
          onSelectedChange={setSelected}
          maxHeight="420px"
          narrow={twoLines}
        />
      </DataCard>
      <SelectionBar
        label={`${selected.size} selected`}
        note="1 is not online"
        clearLabel="Clear"
        onClear={() => setSelected(new Set())}
      >
        <Button variant="ghost">Restart</Button>
      </SelectionBar>
      <DataCard
        title="Details"
        level={3}
        flush
        state={{ kind: 'read-only', text: 'The owner, Henrik Albers, changes this' }}
      >
        <FactList
          facts={[
            ['Label', 'Hafen Nord'],
            ['Reference', 'Terminal 4, quay 7, the crane rails and the two gates beside the lock'],
          ]}
        />
      </DataCard>
      <Specimen caption="Sparkline: a gap stays a gap, fewer than three samples draw nothing">
        <div className={styles.spark}>
          <Sparkline values={load} label="Load, 24 h: 12 % to 78 %" />
        </div>
        <div className={styles.spark}>
          <Sparkline values={memory} label="Memory, 24 h: 40 % to 60 %" color={3} min={0} max={100} />
        </div>
        <div className={styles.spark}>
          <Sparkline values={[1, null, 2]} />
        </div>
      </Specimen>
      <div className={styles.pair}>
        <DataCard title="Load" level={3}>
          <Chart
            label="Load of Portalkran 4, 24 h"
            timeLabel="Time"
            times={times}
            series={[{ label: 'Load', values: load, color: 1 }]}
            format={percent}
            min={0}
            max={100}
            threshold={90}
            outages={[{ from: start + 121 * 300_000, to: start + 139 * 300_000 }]}
            cursor={cursor}
            onCursor={setCursor}
          />
        </DataCard>
        <DataCard title="Load and memory" level={3}>
          <Chart
            label="Load and memory of Portalkran 4, 24 h"
            timeLabel="Time"
            times={times}
            series={[
              { label: 'Load', values: load, color: 1 },
              { label: 'Memory', values: memory, color: 3 },
            ]}
            format={percent}
            min={0}
            max={100}
            cursor={cursor}
            onCursor={setCursor}
          />
        </DataCard>
      </div>
    </Group>
  )
}
