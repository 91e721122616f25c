import { AppLink } from '@pult/sdk'
import type { InstalledExtension } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { Button, Card, EmptyState, Table, type TableColumn } from '@pult/sdk/ui'
import { type DragEvent, useState } from 'react'
import { ExtensionState } from './ExtensionState.tsx'
import styles from './extensions.module.css'
import { useExtensions } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'
import { InstallDialog } from './InstallDialog.tsx'

const columns: TableColumn<InstalledExtension>[] = [
  {
    header: texts.label,
    kind: 'title',
    cell: ({ id, label, description }) => (
      <span className={styles.name}>
        <AppLink to={encodeURIComponent(id)} className={styles.rowLink ?? ''}>
          {label}
        </AppLink>
        <span className={styles.quiet}>{description}</span>
      </span>
    ),
  },
  { header: texts.version, cell: ({ version }) => version },
  {
    header: texts.state,
    cell: (extension) => (
      <span className={styles.state}>
        <ExtensionState extension={extension} />
        {extension.problem !== null && <span className={styles.problem}>{extension.problem}</span>}
      </span>
    ),
  },
  { header: texts.apps, cell: ({ apps }) => apps.map(({ label }) => label).join(', ') },
  {
    header: texts.source,
    cell: ({ versions }) =>
      versions.every(({ source }) => source === 'bundled') ? texts.bundled : texts.installed,
  },
]

/** The extensions of the installation, and how another one gets in: chosen, or dropped anywhere on the page. */
export function ExtensionsPage() {
  const { data, error, refetch } = useExtensions()
  const [isInstalling, setInstalling] = useState(false)
  const [dropped, setDropped] = useState<File | null>(null)
  const openInstall = (file: File | null) => {
    setDropped(file)
    setInstalling(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    openInstall(event.dataTransfer.files[0] ?? null)
  }
  return (
    <div className={styles.page} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className={styles.toolbar}>
        <Button variant="primary" onClick={() => openInstall(null)}>
          {texts.install}
        </Button>
      </div>
      <InstallDialog
        key={`${dropped?.name} ${dropped?.lastModified}`}
        dropped={dropped}
        open={isInstalling}
        onClose={() => setInstalling(false)}
      />
      <Card flush>
        {data === undefined && error !== null ? (
          <Waiting failed={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
        ) : data?.items.length === 0 ? (
          <EmptyState title={texts.nothingThere} text={texts.nothingThereText} />
        ) : (
          <Table label={texts.extensions} columns={columns} rows={data?.items} rowKey={({ id }) => id} />
        )}
      </Card>
    </div>
  )
}
