import { usePageTitle } from '@pult/sdk'
import { Alert, Awaited, Button, Skeleton, VisuallyHidden } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { LoadingError } from '#platform/loading-error.ts'
import { connection } from '#platform/realtime.ts'
import { openDocument } from '#platform/storage.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppBoundary } from './AppBoundary.tsx'
import styles from './AppFrame.module.css'
import { AppFrame } from './AppFrame.tsx'
import awaited from './AppView.module.css'
import { appQuery } from './app-loader.ts'
import { texts } from './extensions.texts.ts'
import { loadNow } from './late-entries.ts'
import { type App, isRootApp } from './registry.ts'
import { retryApp } from './retry-app.ts'

/**
 * The pages of an app below its header, or the reason why they cannot be shown. Code that could not be fetched is
 * fetched again when the connection is back.
 */
export function AppView({ app, header }: { app: App; header: ReactNode }) {
  const { manifest, extension, state } = app
  const { label } = manifest
  usePageTitle(label)
  useEffect(() => loadNow(extension.id), [extension.id])
  const project = useActiveProject()
  const { pathname } = useLocation()
  const { data: definition, error, refetch } = useQuery(appQuery(app))
  const canRetry = error instanceof LoadingError && error.canRetry
  useEffect(() => {
    if (!canRetry) return
    return connection.subscribe(() => connection.get() === 'ready' && void refetch())
  }, [canRetry, refetch])
  if (state.status === 'broken') {
    const retry = () => retryApp(app, state.canRetry)
    return <Failure header={header} label={label} {...state} onRetry={retry} />
  }
  if (error !== null) {
    const retry = () => (canRetry ? void refetch() : openDocument())
    return (
      <Failure header={header} label={label} reason={error.message} canRetry={canRetry} onRetry={retry} />
    )
  }
  if (definition === undefined) {
    return (
      <div className={styles.app}>
        {header}
        <div role="status">
          <VisuallyHidden>{texts.loading(label)}</VisuallyHidden>
          <div className={awaited.page}>
            {(manifest.tabs ?? []).length > 0 && <Skeleton width="24rem" height="var(--control-height)" />}
            <Awaited height="var(--row-height)" count={3} />
          </div>
        </div>
      </div>
    )
  }
  return (
    <AppBoundary label={label} page={pathname} extension={extension} part={manifest.id}>
      <AppFrame
        app={app}
        header={header}
        definition={definition}
        project={isRootApp(app) ? null : project}
        basePath={`/app/${manifest.id}`}
      />
    </AppBoundary>
  )
}

interface FailureProps {
  header: ReactNode
  label: string
  reason: string
  /** False if only a reload of the page can help. */
  canRetry: boolean
  onRetry: () => void
}

function Failure({ header, label, reason, canRetry, onRetry }: FailureProps) {
  return (
    <div className={styles.app}>
      {header}
      <Alert
        tone="danger"
        title={texts.failed(label)}
        action={<Button onClick={onRetry}>{canRetry ? texts.retry : texts.reload}</Button>}
      >
        {reason}
      </Alert>
    </div>
  )
}
