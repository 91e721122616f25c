import { AppLink, useAppNavigate } from '@pult/sdk'
import type { MediaItem } from '@pult/sdk/api'
import {
  DataTable,
  type DataTableColumn,
  type DataTableSettings,
  formatBytes,
  StateChip,
  TimeAgo,
} from '@pult/sdk/ui'
import type { ReactNode } from 'react'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import type { Selection } from './MediaSelection.tsx'
import { texts } from './media.texts.ts'
import { NoteSigns } from './NoteSigns.tsx'

interface MediaTableProps {
  /** Undefined while they load. */
  items: readonly MediaItem[] | undefined
  /** Null for users who may only view. */
  selection: Selection | null
  settings: DataTableSettings
  onSettingsChange: (settings: DataTableSettings) => void
}

export const mediaColumns: DataTableColumn<MediaItem>[] = [
  {
    id: 'label',
    header: texts.name,
    kind: 'title',
    width: '2fr',
    minWidth: 200,
    sortBy: 'given',
    cell: (item) => <Title item={item} />,
  },
  { id: 'type', header: texts.type, minWidth: 100, cell: mimeOf },
  { id: 'size', header: texts.size, kind: 'number', width: 92, cell: sizeOf },
  {
    id: 'tags',
    header: texts.tags,
    minWidth: 110,
    cell: ({ tags }) => <span className={styles.cut}>{tags.join(', ') || texts.noDimensions}</span>,
  },
  {
    id: 'changed',
    header: texts.changed,
    kind: 'number',
    width: 132,
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
  },
  {
    id: 'created',
    header: texts.added,
    kind: 'number',
    width: 132,
    sortBy: 'given',
    sortsFirst: 'descending',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
]

function mimeOf(item: MediaItem) {
  const { source, state } = item
  if (state === 'failed')
    return (
      <StateChip plain status="warning">
        {texts.failed}
      </StateChip>
    )
  return (
    <>
      {source.formats[0]?.mime ?? texts.types[source.type]} <NoteSigns item={item} />
    </>
  )
}

function sizeOf({ source }: MediaItem) {
  return formatBytes(source.formats[0]?.size ?? 0)
}

function Title({ item, facts }: { item: MediaItem; facts?: ReactNode }) {
  return (
    <span className={styles.rowTitle}>
      <span className={styles.stamp}>
        <MediaPreview item={item} sizes="48px" />
      </span>
      <span className={styles.rowTexts}>
        <AppLink to={`edit/${item._id}`}>{item.label}</AppLink>
        {facts !== undefined && <span className={styles.rowFacts}>{facts}</span>}
      </span>
    </span>
  )
}

/** Row of a medium on a phone: its picture and name, then type and size. */
const narrowMedium = (item: MediaItem) => (
  <Title
    item={item}
    facts={
      <>
        {mimeOf(item)} · {sizeOf(item)}
      </>
    }
  />
)

/** The media as a table, with more details than a tile. */
export function MediaTable({ items, selection, settings, onSettingsChange }: MediaTableProps) {
  const navigate = useAppNavigate()
  return (
    <DataTable
      label={texts.media}
      columns={mediaColumns}
      rows={items}
      rowKey={({ _id }) => _id}
      rowText={({ label }) => label}
      rowHeight={46}
      settings={settings}
      onSettingsChange={onSettingsChange}
      selected={selection?.ids}
      onSelectedChange={selection?.set}
      onOpen={(itemId) => navigate(`edit/${itemId}`)}
      narrow={narrowMedium}
    />
  )
}
