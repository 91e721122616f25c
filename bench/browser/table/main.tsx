import '@pult/ui/styles.css'
import { DataCard, DataTable, type DataTableColumn, IconButton, StateChip, UiProvider } from '@pult/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/* The table of the bench: as many columns as the list of edges, and 5,000 rows. */

interface Row {
  id: string
  name: string
  host: string
  share: number
}

const rows: Row[] = Array.from({ length: 5000 }, (_, index) => ({
  id: `${index}`,
  name: `Portalkran ${index + 1}`,
  host: `kran-${index + 1}`,
  share: (index * 37) % 100,
}))

const measured = (id: string): DataTableColumn<Row> => ({
  id,
  header: id,
  minWidth: 106,
  sortBy: ({ share }) => share,
  cell: ({ share }) => (
    <span style={{ display: 'flex', gap: 6, alignItems: 'center' }}>
      <span
        style={{
          width: 44,
          height: 6,
          borderRadius: 3,
          overflow: 'hidden',
          background: 'var(--color-border)',
        }}
      >
        <span
          style={{ display: 'block', height: '100%', width: `${share}%`, background: 'var(--color-accent)' }}
        />
      </span>
      {`${share} %`}
    </span>
  ),
})

const columns: DataTableColumn<Row>[] = [
  {
    id: 'name',
    header: 'Name',
    kind: 'title',
    width: '1.6fr',
    sortBy: ({ name }) => name,
    cell: ({ name, host }) => (
      <span style={{ display: 'grid' }}>
        <a href={`#${host}`}>{name}</a>
        <small>{host}</small>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ share }) =>
      share > 90 ? <StateChip status="danger">Offline</StateChip> : <StateChip status="ok">Online</StateChip>,
  },
  measured('Load'),
  measured('Memory'),
  measured('Disk'),
  { id: 'programs', header: 'Programs', kind: 'number', width: 88, cell: ({ share }) => `${share % 5}/5` },
  { id: 'agent', header: 'Agent', width: 72, cell: () => '2.4.0' },
  { id: 'seen', header: 'Last seen', kind: 'number', width: 120, cell: ({ share }) => `${share} s ago` },
  {
    id: 'actions',
    header: 'Actions',
    kind: 'actions',
    cell: ({ name }) => <IconButton label={`Actions of ${name}`} icon={<Ellipsis />} />,
  },
]

function Page() {
  const [settings, setSettings] = useState({})
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <DataCard title="Edges" flush>
      <DataTable
        label="Edges"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowText={({ name }) => name}
        rowHeight={46}
        settings={settings}
        onSettingsChange={setSettings}
        selected={selected}
        onSelectedChange={setSelected}
        narrow={({ name }) => name}
        maxHeight="700px"
      />
    </DataCard>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <UiProvider navigate={() => {}}>
    <Page />
  </UiProvider>,
)
