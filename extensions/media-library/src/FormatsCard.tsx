import type { MediaFormat, MediaItem } from '@pult/sdk/api'
import { Card, CopyButton, formatBytes, Table, type TableColumn } from '@pult/sdk/ui'
import { FormatsAgain } from './FormatsAgain.tsx'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

/** Every format with its address, for use outside the library. Editors can make the formats again. */
export function FormatsCard({ item, mayEdit }: { item: MediaItem; mayEdit: boolean }) {
  const { source, state } = item
  return (
    <Card
      title={texts.formats}
      flush
      actions={mayEdit && source.type === 'image' && state === 'ready' && <FormatsAgain item={item} />}
    >
      <Table
        label={texts.formats}
        columns={columns}
        rows={source.formats}
        rowKey={({ name, mime }) => `${name} ${mime}`}
      />
      <p className={styles.note}>{texts.urlsEnd}</p>
    </Card>
  )
}

const columns: TableColumn<MediaFormat>[] = [
  { header: texts.format, kind: 'title', cell: ({ name }) => texts.formatNames[name] ?? name },
  { header: texts.type, cell: ({ mime }) => mime },
  { header: texts.size, cell: ({ size }) => formatBytes(size) },
  {
    header: texts.dimensions,
    cell: ({ meta: { width, height } }) =>
      width === null || height === null ? texts.noDimensions : `${width} × ${height}`,
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: ({ url }) => (
      <CopyButton
        text={new URL(url, document.baseURI).href}
        copiedLabel={texts.copied}
        failedLabel={texts.copyFailed}
      >
        {texts.copyUrl}
      </CopyButton>
    ),
  },
]
