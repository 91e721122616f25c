import { useApi, useAppParams, usePageTitle } from '@pult/sdk'
import { type InstalledExtension, rootExtensionEndpoints, sdkVersion } from '@pult/sdk/api/root'
import { RecordPage } from '@pult/sdk/resource'
import { Alert, Card, EmptyState, formatBytes, PageHead, TimeAgo } from '@pult/sdk/ui'
import type { ReactNode } from 'react'
import { Backend } from './Backend.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { ExtensionState } from './ExtensionState.tsx'
import styles from './extensions.module.css'
import { useExtensions } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'
import { InstallationSettings } from './InstallationSettings.tsx'
import { rightsOf, VersionRights } from './VersionRights.tsx'
import { Versions } from './Versions.tsx'

/** One extension: its contents, its state and its versions. */
export function ExtensionPage() {
  const { extensionId } = useAppParams()
  return (
    <RecordPage back={texts.back} query={useExtensions()} failed={texts.loadingFailed}>
      {({ items }) => {
        const extension = items.find(({ id }) => id === extensionId)
        return extension === undefined ? (
          <EmptyState title={texts.gone} text={texts.goneText} />
        ) : (
          <ExtensionCards extension={extension} />
        )
      }}
    </RecordPage>
  )
}

function ExtensionCards({ extension }: { extension: InstalledExtension }) {
  const { label, description, isEnabled, problem, backend } = extension
  usePageTitle(label)
  return (
    <>
      <PageHead
        title={label}
        text={description}
        state={<ExtensionState extension={extension} />}
        actions={<Power extension={extension} />}
      />
      {problem !== null && (
        <Alert tone="warning" title={isEnabled ? texts.problemOfEnabled : texts.problem}>
          {problem}
        </Alert>
      )}
      <About extension={extension} />
      <Roles extension={extension} />
      {backend !== null && <Backend key={extension.id} extensionId={extension.id} backend={backend} />}
      <InstallationSettings extensionId={extension.id} />
      <Versions extension={extension} />
    </>
  )
}

const listOf = (labels: readonly string[]) => (labels.length === 0 ? texts.none : labels.join(', '))

function About({ extension }: { extension: InstalledExtension }) {
  const { id, version, apps, products, versions, changedAt } = extension
  const shown = versions.find(({ isRunning }) => isRunning) ?? versions[0]
  return (
    <Card title={texts.about} flush>
      <dl>
        <Fact name={texts.id}>{id}</Fact>
        <Fact name={texts.version}>{version}</Fact>
        <Fact name={texts.apps}>{listOf(apps.map(({ label }) => label))}</Fact>
        <Fact name={texts.products}>{listOf(products.map(({ label }) => label))}</Fact>
        <Fact name={texts.sdk}>
          {shown?.sdk ? `${shown.sdk} (${texts.ofConsole(sdkVersion)})` : texts.none}
        </Fact>
        {shown !== undefined && <Fact name={texts.size}>{formatBytes(shown.size)}</Fact>}
        {changedAt !== null && (
          <Fact name={texts.changed}>
            <TimeAgo at={changedAt} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

/** What the roles of the running version give, or those of the newest version if none runs. */
function Roles({ extension: { versions } }: { extension: InstalledExtension }) {
  const { roles = [] } = versions.find(({ isRunning }) => isRunning) ?? versions[0] ?? {}
  if (roles.length === 0) return null
  return (
    <Card title={texts.roles} flush>
      <dl>
        {roles.map((role) => (
          <Fact key={role.id} name={role.label}>
            {rightsOf(role)}
          </Fact>
        ))}
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The extension that contains this page. */
const ownId = 'extensions'

/** Renders a single button for both actions, so that it keeps the focus when the state changes. */
function Power({ extension: { id, label, isEnabled, versions } }: { extension: InstalledExtension }) {
  const call = useApi()
  const params = { name: id }
  // Names the version, because the rights in the question are those of this version.
  const newest = versions.find(({ problem }) => problem === null)
  return isEnabled ? (
    <ConfirmedAction
      label={texts.disable}
      variant="danger-quiet"
      question={texts.disableQuestion}
      text={
        <>
          {texts.disableText(label)}
          {id === ownId && <p>{texts.disableOwnText}</p>}
        </>
      }
      done={texts.disabled(label)}
      doneText={texts.afterReload}
      run={() => call(rootExtensionEndpoints.disable, { params })}
    />
  ) : (
    <ConfirmedAction
      label={texts.enable}
      question={texts.enableQuestion}
      text={
        <>
          {texts.enableText(label)}
          {newest && <VersionRights version={newest} />}
        </>
      }
      destructive={false}
      done={texts.enabled(label)}
      doneText={texts.afterReload}
      run={() =>
        call(rootExtensionEndpoints.enable, {
          params,
          body: newest ? { digest: newest.digest, allowsRoles: newest.needsConsent } : {},
        })
      }
    />
  )
}
