import { useApi } from '@pult/sdk'
import { type ExtensionVersion, type InstalledExtension, rootExtensionEndpoints } from '@pult/sdk/api/root'
import { Card, formatBytes, keepFocus, StateChip, Table, type TableColumn, TimeAgo } from '@pult/sdk/ui'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import styles from './extensions.module.css'
import { texts } from './extensions.texts.ts'
import { VersionRights } from './VersionRights.tsx'

/** All versions of an extension, newest first. */
export function Versions({ extension }: { extension: InstalledExtension }) {
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.versions} flush>
      <Table
        label={texts.versions}
        columns={columnsOf(extension)}
        rows={extension.versions}
        rowKey={({ digest, version }) => `${digest} ${version}`}
      />
    </Card>
  )
}

const nameOf = ({ version }: ExtensionVersion) => version || texts.unreadable

const columnsOf = (extension: InstalledExtension): TableColumn<ExtensionVersion>[] => [
  { header: texts.version, kind: 'title', cell: nameOf },
  { header: texts.state, cell: (version) => <VersionState version={version} /> },
  { header: texts.source, cell: ({ source }) => (source === 'bundled' ? texts.bundled : texts.installed) },
  { header: texts.sdk, cell: ({ sdk }) => sdk },
  { header: texts.size, cell: ({ size }) => formatBytes(size) },
  { header: texts.digest, cell: ({ digest }) => <code title={digest}>{digest.slice(0, 12)}</code> },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (version) => <VersionActions extension={extension} version={version} />,
  },
]

function VersionState({ version: { isRunning, problem, failures } }: { version: ExtensionVersion }) {
  if (problem !== null)
    return (
      <span className={styles.state}>
        <StateChip plain status="warning">
          {texts.broken}
        </StateChip>
        <span className={styles.problem}>{problem}</span>
      </span>
    )
  return (
    <span className={styles.state}>
      <StateChip plain status={isRunning ? 'ok' : 'stopped'}>
        {isRunning ? texts.running : texts.ready}
      </StateChip>
      {failures.map(({ part, message, count, lastAt }) => (
        <span key={part} className={styles.problem}>
          <TimeAgo at={lastAt} sentence={(time) => `${texts.failure(part, count, message)} (${time})`} />
        </span>
      ))}
    </span>
  )
}

interface VersionActionsProps {
  extension: InstalledExtension
  version: ExtensionVersion
}

function VersionActions({ extension: { id, label, versions }, version }: VersionActionsProps) {
  const call = useApi()
  const { digest, source, isRunning, problem, needsConsent } = version
  // Calls cannot address a version without a digest. The running version can be neither enabled again nor deleted.
  if (isRunning || digest === '') return null
  const name = nameOf(version)
  const isForeign = source === 'installed' && versions.some((one) => one.source === 'bundled')
  return (
    <span className={styles.rowActions}>
      {problem === null && (
        <ConfirmedAction
          label={texts.enableVersion}
          accessibleLabel={texts.enableVersionOf(name)}
          variant="ghost"
          question={texts.enableVersionQuestion(name)}
          text={
            <>
              {isForeign
                ? `${texts.replacesBundled(label)} ${texts.enableText(label)}`
                : texts.enableText(label)}
              <VersionRights version={version} />
            </>
          }
          destructive={false}
          done={texts.enabled(`${label} ${name}`)}
          doneText={texts.afterReload}
          run={() =>
            call(rootExtensionEndpoints.enable, {
              params: { name: id },
              body: { digest, allowsRoles: needsConsent },
            })
          }
        />
      )}
      {source === 'installed' && (
        <ConfirmedAction
          label={texts.remove}
          accessibleLabel={texts.removeVersionOf(name)}
          variant="ghost"
          question={texts.removeQuestion(name)}
          text={texts.removeText}
          done={texts.removed(name)}
          run={() => call(rootExtensionEndpoints.removeVersion, { params: { name: id, digest } })}
        />
      )}
    </span>
  )
}
