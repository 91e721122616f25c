import { Alert, Button, PageHeader, Spinner } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { notify } from '#platform/notify.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppBoundary } from './AppBoundary.tsx'
import { AppFrame } from './AppFrame.tsx'
import { hasRole } from './app-access.ts'
import { appQuery } from './app-loader.ts'
import { texts } from './extensions.texts.ts'
import { LoadingError } from './load-extension.ts'
import { type App, apps, findApp, isRootApp } from './registry.ts'
import { retryApp } from './retry-app.ts'

/** An app as a page: `/app/{appId}` and what is below. */
export function AppPage() {
  const { appId = '' } = useParams()
  const app = findApp(useStore(apps), appId)
  const credentials = useCredentials()
  const project = useActiveProject() ?? null
  const role = app?.manifest.role
  const isAllowed = app !== undefined && (role === undefined || hasRole(credentials, project, role))
  if (!isAllowed) return <NoAccess appId={appId} />
  // Without its project an app begins anew in the next one: nothing that was typed goes there.
  return <OpenedApp key={`${appId} ${project?._id}`} app={app} />
}

/** An app that is not there and one that the person may not open are the same to them. */
function NoAccess({ appId }: { appId: string }) {
  useEffect(() => notify.warning(texts.noAccess, texts.noAccessText(appId)), [appId])
  return <Navigate to="/" replace />
}

function OpenedApp({ app }: { app: App }) {
  const { manifest, state } = app
  const { label } = manifest
  usePageTitle(label)
  const project = useActiveProject() ?? null
  const { pathname } = useLocation()
  const { data: definition, error, refetch } = useQuery(appQuery(app))
  if (state.status === 'broken')
    return <Failure label={label} reason={state.reason} onRetry={() => retryApp(app, state.canRetry)} />
  if (error !== null) {
    const canRetry = error instanceof LoadingError && error.canRetry
    return (
      <Failure
        label={label}
        reason={error.message}
        onRetry={() => (canRetry ? void refetch() : location.reload())}
      />
    )
  }
  if (definition === undefined) {
    return (
      <>
        <PageHeader title={label} />
        <Spinner label={texts.loading(label)} />
      </>
    )
  }
  return (
    <AppBoundary label={label} page={pathname}>
      <AppFrame
        app={app}
        definition={definition}
        project={isRootApp(app) ? null : project}
        basePath={`/app/${manifest.id}`}
      />
    </AppBoundary>
  )
}

function Failure({ label, reason, onRetry }: { label: string; reason: string; onRetry: () => void }) {
  return (
    <>
      <PageHeader title={label} />
      <Alert
        tone="danger"
        title={texts.failed(label)}
        action={<Button onClick={onRetry}>{texts.retry}</Button>}
      >
        {reason}
      </Alert>
    </>
  )
}
