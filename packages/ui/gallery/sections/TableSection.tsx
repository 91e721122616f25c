import Trash2 from 'lucide-react/icons/trash-2'
import { Card, IconButton, Table, type TableColumn } from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group } from '../Specimen.tsx'

interface Deck {
  label: string
  model: string | null
  seen: string
}

const decks: Deck[] = [
  { label: 'Foyer Nord', model: 'Stream Deck MK.2', seen: '01.10.2026 - 09:12:04' },
  { label: 'Leitstand mit einem Namen, der länger ist als seine Spalte', model: null, seen: 'Never' },
]

const columns: TableColumn<Deck>[] = [
  { header: 'Label', kind: 'title', cell: ({ label }) => label },
  { header: 'Model', cell: ({ model }) => model },
  { header: 'Last seen', cell: ({ seen }) => seen },
  {
    header: 'Actions',
    kind: 'actions',
    cell: ({ label }) => <IconButton label={`Delete ${label}`} icon={<Trash2 />} />,
  },
]

export function TableSection() {
  return (
    <Group title="Table">
      <Card title="With room for its columns" flush>
        <Table label="Decks" columns={columns} rows={decks} rowKey={({ label }) => label} />
      </Card>
      <div className={styles.pair}>
        <Card title="Without" flush>
          <Table label="Decks as cards" columns={columns} rows={decks} rowKey={({ label }) => label} />
        </Card>
        <Card title="On the way" flush>
          <Table label="Decks to come" columns={columns} rows={undefined} rowKey={({ label }) => label} />
        </Card>
      </div>
    </Group>
  )
}
