import type { Project } from '@pult/contract'
import type { AppDefinition, AppRoute } from '@pult/sdk'
import { AppHostProvider } from '@pult/sdk/host'
import { Alert } from '@pult/ui'
import type { ReactNode } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { useCredentials } from '#platform/use-credentials.ts'
import { AppBoundary } from './AppBoundary.tsx'
import styles from './AppFrame.module.css'
import { AppTabs } from './AppTabs.tsx'
import { mayOpenTab } from './app-access.ts'
import { texts } from './extensions.texts.ts'
import type { App, AppManifest, Tab } from './registry.ts'
import { useHost } from './use-host.ts'

interface AppFrameProps {
  app: App
  header: ReactNode
  definition: AppDefinition
  /** Null for a root app. */
  project: Project | null
  basePath: string
}

/** What the console puts around an app: its header with the tabs, its pages, and what the SDK's hooks read. */
export function AppFrame({ app: { manifest }, header, definition, project, basePath }: AppFrameProps) {
  const { label } = manifest
  const credentials = useCredentials()
  const tabs = (manifest.tabs ?? []).filter((tab) => mayOpenTab(tab, manifest, credentials, project))
  const start = startOf(definition, tabs)
  const host = useHost({ manifest, project, basePath })
  return (
    <AppHostProvider value={host}>
      <div className={styles.app}>
        {header}
        {tabs.length > 0 && <AppTabs label={label} tabs={tabs} basePath={basePath} />}
        <Routes>
          {definition.routes.map((route) => (
            <Route
              key={route.name}
              path={route.path}
              element={<AppRoutePage {...{ manifest, project, route }} />}
            />
          ))}
          {start !== null && <Route index element={<Navigate to={start} replace />} />}
          <Route path="*" element={<Alert tone="warning" title={texts.noPage} />} />
        </Routes>
      </div>
    </AppHostProvider>
  )
}

/** Where an app opens that has no page at its own address: at the first tab that the person may open, else at its first page. */
function startOf({ routes }: AppDefinition, tabs: readonly Tab[]): string | null {
  if (routes.some(({ path }) => path === '' || path === '*')) return null
  return tabs[0]?.id ?? routes[0]?.path.replace(/\/\*$/, '') ?? null
}

interface AppRoutePageProps {
  manifest: AppManifest
  project: Project | null
  route: AppRoute
}

function AppRoutePage({ manifest, project, route: { name, path, Component } }: AppRoutePageProps) {
  const credentials = useCredentials()
  const { pathname } = useLocation()
  const tab = manifest.tabs?.find(({ id }) => id === path.split('/')[0])
  if (tab === undefined || mayOpenTab(tab, manifest, credentials, project)) {
    return (
      <AppBoundary key={name} label={manifest.label} page={pathname}>
        <Component />
      </AppBoundary>
    )
  }
  return (
    <Alert tone="danger" title={texts.accessDenied}>
      {texts.accessDeniedText}
    </Alert>
  )
}
