import { AppLink } from '@pult/sdk'
import type { MediaItem } from '@pult/sdk/api'
import { Card, formatBytes, formatInstant, Table, type TableColumn } from '@pult/sdk/ui'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import { texts } from './media.texts.ts'
import type { Selection } from './use-selection.ts'

interface MediaTableProps {
  items: readonly MediaItem[]
  /** Null for those who change nothing. */
  selection: Selection | null
}

/** The same media as rows, with what a tile has no room for. */
export function MediaTable({ items, selection }: MediaTableProps) {
  return (
    <Card flush>
      <Table label={texts.media} columns={columnsOf(selection)} rows={items} rowKey={({ _id }) => _id} />
    </Card>
  )
}

const columnsOf = (selection: Selection | null): TableColumn<MediaItem>[] => [
  {
    header: texts.name,
    kind: 'title',
    cell: (item) => (
      <span className={styles.rowTitle}>
        {selection !== null && (
          <input
            type="checkbox"
            className={styles.rowCheck}
            aria-label={texts.select(item.label)}
            checked={selection.has(item._id)}
            onChange={() => selection.toggle(item._id)}
          />
        )}
        <span className={styles.stamp}>
          <MediaPreview item={item} sizes="48px" />
        </span>
        <AppLink to={item._id} className={styles.rowLink ?? ''}>
          {item.label}
        </AppLink>
      </span>
    ),
  },
  { header: texts.type, cell: ({ source }) => source.formats[0]?.mime ?? texts.types[source.type] },
  { header: texts.size, cell: ({ source }) => formatBytes(source.formats[0]?.size ?? 0) },
  { header: texts.tags, cell: ({ tags }) => tags.join(', ') || texts.noDimensions },
  {
    header: texts.changed,
    cell: ({ updatedAt }) => <time dateTime={updatedAt}>{formatInstant(updatedAt)}</time>,
  },
]
