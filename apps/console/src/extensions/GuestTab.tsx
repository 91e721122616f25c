import { AppHostProvider } from '@pult/sdk/host'
import { Alert, Button, Spinner } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LoadingError } from '#platform/loading-error.ts'
import { openDocument } from '#platform/storage.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { AppBoundary } from './AppBoundary.tsx'
import { loadStyles } from './app-loader.ts'
import { texts } from './extensions.texts.ts'
import { loadNow } from './late-entries.ts'
import type { PageTab } from './page-tabs.ts'
import { loadPoint } from './read-point.ts'
import { isRootApp, registrationOf } from './registry.ts'
import { useHost } from './use-host.ts'

/** A tab of an app on the page of another app. A tab that fails shows the reason in its place. */
export function GuestTab({ app, tab, id }: Pick<PageTab, 'app' | 'tab'> & { id: string }) {
  const { manifest, extension, state } = app
  useEffect(() => loadNow(extension.id), [extension.id])
  const registration = registrationOf(app)
  const { data, error, refetch } = useQuery({
    queryKey: ['page-tab', extension.entry, manifest.id, tab.id],
    queryFn: async () => {
      const [definition] = await Promise.all([
        loadPoint(registration?.pageTabs?.[tab.id], tab.id, extension),
        loadStyles(extension),
      ])
      return definition
    },
    enabled: registration !== undefined,
    staleTime: 'static',
    retry: false,
  })
  const project = useActiveProject()
  const host = useHost({
    manifest,
    project: isRootApp(app) ? null : project,
    basePath: `/app/${manifest.id}`,
  })
  const reason = state.status === 'broken' ? state.reason : error?.message
  const canRetry = error instanceof LoadingError && error.canRetry
  if (reason !== undefined)
    return (
      <Alert
        tone="danger"
        title={texts.failed(tab.label)}
        action={
          <Button onClick={() => (canRetry ? void refetch() : openDocument())}>
            {canRetry ? texts.retry : texts.reload}
          </Button>
        }
      >
        {reason}
      </Alert>
    )
  if (data === undefined) return <Spinner label={texts.loading(tab.label)} />
  return (
    <AppHostProvider value={host}>
      <AppBoundary label={tab.label} page={id} extension={extension} part={tab.id}>
        <data.Component id={id} />
      </AppBoundary>
    </AppHostProvider>
  )
}
