import type { Project } from '@pult/contract'
import type { AppDefinition, AppRoute } from '@pult/sdk'
import { AppHostProvider } from '@pult/sdk/host'
import { Alert } from '@pult/ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { AppBoundary } from './AppBoundary.tsx'
import styles from './AppFrame.module.css'
import { AppTabs } from './AppTabs.tsx'
import { mayOpenTab } from './app-access.ts'
import { texts } from './extensions.texts.ts'
import { pageTabsOf } from './page-tabs.ts'
import { type App, apps, type Tab } from './registry.ts'
import { useHost } from './use-host.ts'

const RefusalNotice = lazy(async () => ({
  default: (await import('#platform/access/RefusalNotice.tsx')).RefusalNotice,
}))
// Lazy, because few projects have tabs of other apps.
const ProjectTab = lazy(async () => ({ default: (await import('./ProjectTab.tsx')).ProjectTab }))

interface AppFrameProps {
  app: App
  header: ReactNode
  definition: AppDefinition
  /** Null for a root app. */
  project: Project | null
  basePath: string
}

/** Wraps an app: its header with tabs, its routes and the context that the SDK's hooks read. */
export function AppFrame({ app, header, definition, project, basePath }: AppFrameProps) {
  const { manifest } = app
  const { label } = manifest
  const credentials = useCredentials()
  const tabs = (manifest.tabs ?? []).filter((tab) => mayOpenTab(tab, manifest, credentials, project))
  const shown = useStore(apps)
  const guests =
    definition.hosts === 'project' && project !== null
      ? pageTabsOf(shown, 'project', credentials, project)
      : []
  const strip = [...tabs, ...guests.map(({ key, tab }) => ({ id: `tab/${key}`, label: tab.label }))]
  const start = startOf(definition, tabs)
  const host = useHost({ manifest, project, basePath })
  return (
    <AppHostProvider value={host}>
      <div className={styles.app}>
        {header}
        {strip.length > 0 && <AppTabs label={label} tabs={strip} basePath={basePath} />}
        <Routes>
          {definition.routes.map((route) => (
            <Route
              key={route.name}
              path={route.path}
              element={<AppRoutePage {...{ app, project, route }} />}
            />
          ))}
          {definition.hosts === 'project' && project !== null && (
            <Route
              path="tab/:appId/:tabId"
              element={
                <Suspense fallback={null}>
                  <ProjectTab tabs={guests} project={project} />
                </Suspense>
              }
            />
          )}
          {start !== null && <Route index element={<Navigate to={start} replace />} />}
          <Route path="*" element={<Alert tone="warning" title={texts.noPage} />} />
        </Routes>
      </div>
    </AppHostProvider>
  )
}

/**
 * Redirects an app without a page at its own address to the first tab that the user may open, else to its first page.
 */
function startOf({ routes }: AppDefinition, tabs: readonly Tab[]): string | null {
  if (routes.some(({ path }) => path === '' || path === '*')) return null
  return tabs[0]?.id ?? routes[0]?.path.replace(/\/\*$/, '') ?? null
}

interface AppRoutePageProps {
  app: App
  project: Project | null
  route: AppRoute
}

function AppRoutePage({
  app: { manifest, extension },
  project,
  route: { name, path, Component },
}: AppRoutePageProps) {
  const credentials = useCredentials()
  const { pathname } = useLocation()
  const tab = manifest.tabs?.find(({ id }) => id === path.split('/')[0])
  if (tab === undefined || mayOpenTab(tab, manifest, credentials, project)) {
    return (
      <AppBoundary key={name} label={manifest.label} page={pathname} extension={extension} part={manifest.id}>
        <Component />
      </AppBoundary>
    )
  }
  return (
    <Suspense fallback={null}>
      <RefusalNotice
        title={texts.accessDenied}
        text=""
        projectId={project?._id}
        of={{ role: manifest.role === undefined ? (tab.role ?? '') : `${manifest.role}:${tab.role}` }}
        subject={tab.label}
        otherwise={project === null ? 'root' : undefined}
      />
    </Suspense>
  )
}
