import { AppLink, useAppNavigate, wholeListOf } from '@pult/sdk'
import type { InstalledExtension } from '@pult/sdk/api/root'
import { ListFrame, useListView } from '@pult/sdk/resource'
import { Button, ColumnChoice, DataTable, type DataTableColumn, EmptyState, FilterChips } from '@pult/sdk/ui'
import { type DragEvent, useState } from 'react'
import { ExtensionState } from './ExtensionState.tsx'
import { extensionStates, stateOf, statusOf } from './extension-state.ts'
import styles from './extensions.module.css'
import { useExtensions } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'
import { InstallDialog } from './InstallDialog.tsx'

const sorts = ['label', '-label', 'state', '-state', 'source', '-source'] as const

const sourceOf = ({ versions }: InstalledExtension) =>
  versions.every(({ source }) => source === 'bundled') ? texts.bundled : texts.installed

const columns: DataTableColumn<InstalledExtension>[] = [
  {
    id: 'label',
    header: texts.label,
    kind: 'title',
    width: '2fr',
    minWidth: 200,
    sortBy: ({ label }) => label,
    cell: (extension) => <Name extension={extension} />,
  },
  { id: 'version', header: texts.version, width: 92, cell: ({ version }) => version },
  {
    id: 'state',
    header: texts.state,
    width: '1.2fr',
    minWidth: 150,
    sortBy: (extension) => extensionStates.indexOf(stateOf(extension)),
    cell: (extension) => <State extension={extension} />,
  },
  {
    id: 'apps',
    header: texts.apps,
    minWidth: 120,
    cell: ({ apps }) => <span className={styles.cut}>{apps.map(({ label }) => label).join(', ')}</span>,
  },
  { id: 'source', header: texts.source, width: 110, sortBy: sourceOf, cell: sourceOf },
]

function Name({ extension: { id, label, description } }: { extension: InstalledExtension }) {
  return (
    <span className={styles.name}>
      <AppLink to={encodeURIComponent(id)}>{label}</AppLink>
      <span className={styles.quiet}>{description}</span>
    </span>
  )
}

function State({ extension }: { extension: InstalledExtension }) {
  return (
    <span className={styles.state}>
      <ExtensionState extension={extension} />
      {extension.problem !== null && (
        <span className={styles.problem} title={extension.problem}>
          {extension.problem}
        </span>
      )}
    </span>
  )
}

/** Row of an extension on a phone: its name and state, then its description or problem. */
const narrowExtension = (extension: InstalledExtension) => (
  <span className={styles.narrow}>
    <Name extension={extension} />
    <State extension={extension} />
  </span>
)

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** The extensions of the installation. New ones are chosen or dropped anywhere on the page. */
export function ExtensionsPage() {
  const list = wholeListOf(useExtensions())
  const view = useListView({ sorts, usualSort: 'label', filters: { state: extensionStates } })
  const { settings } = view
  const { state } = view.filters
  const shown = state === null ? list.items : list.items?.filter((one) => stateOf(one) === state)
  const navigate = useAppNavigate()
  const [isInstalling, setInstalling] = useState(false)
  const [dropped, setDropped] = useState<File | null>(null)
  const openInstall = (file: File | null) => {
    setDropped(file)
    setInstalling(true)
  }
  const drop = (event: DragEvent) => {
    // The dialog has its own field, and an installation may run in it.
    if (!hasFiles(event) || isInstalling) return
    event.preventDefault()
    openInstall(event.dataTransfer.files[0] ?? null)
  }
  const install = (
    <Button variant="primary" onClick={() => openInstall(null)}>
      {texts.install}
    </Button>
  )
  return (
    <div onDragOver={(event) => hasFiles(event) && event.preventDefault()} onDrop={drop}>
      <ListFrame
        list={{ ...list, items: shown, total: shown?.length ?? 0 }}
        isFiltered={view.isFiltered}
        onClear={view.clear}
        notUnderstood={view.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.extensions, count: texts.count }}
        empty={<EmptyState title={texts.nothingThere} text={texts.nothingThereText} action={install} />}
        filters={
          <FilterChips
            label={texts.state}
            value={state}
            onChange={(next) => view.setFilters({ state: next })}
            chips={extensionStates.map((value) => ({
              value,
              label: texts[value],
              status: statusOf[value],
              count: list.items?.filter((one) => stateOf(one) === value).length ?? 0,
            }))}
          />
        }
        columnChoice={
          <ColumnChoice
            label={texts.columns}
            columns={columns}
            settings={settings}
            onSettingsChange={view.setSettings}
          />
        }
        tools={install}
      >
        <DataTable
          label={texts.extensions}
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          rowText={({ label }) => label}
          rowHeight={54}
          settings={settings}
          onSettingsChange={view.setSettings}
          onOpen={(id) => navigate(encodeURIComponent(id))}
          narrow={narrowExtension}
        />
      </ListFrame>
      <InstallDialog
        key={`${dropped?.name} ${dropped?.lastModified}`}
        dropped={dropped}
        open={isInstalling}
        onClose={() => setInstalling(false)}
      />
    </div>
  )
}
