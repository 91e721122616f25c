import { Alert, PageHead } from '@pult/ui'
import { Link, Navigate, Route, Routes } from 'react-router'
import type { AppDefinition, AppRoute } from '../define-extension.ts'
import { type AppHost, AppHostProvider } from '../host.ts'

type Tab = NonNullable<AppHost['app']['tabs']>[number]

/**
 * Renders the parts of the console around an app that tests can check: its label, tabs, pages, and access to them.
 */
export function TestFrame({ definition: { routes }, host }: { definition: AppDefinition; host: AppHost }) {
  const { app, basePath } = host
  const tabs = (app.tabs ?? []).filter((tab) => mayOpen(tab, host))
  const hasOwnPage = routes.some(({ path }) => path === '' || path === '*')
  const start = tabs[0]?.id ?? routes[0]?.path.replace(/\/\*$/, '') ?? ''
  return (
    <AppHostProvider value={host}>
      <PageHead title={app.label} />
      {tabs.length > 0 && (
        <nav aria-label={`Parts of ${app.label}`}>
          {tabs.map(({ id, label }) => (
            <Link key={id} to={`${basePath}/${id}`}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <Routes>
        {routes.map((route) => (
          <Route key={route.name} path={route.path} element={<Page route={route} host={host} />} />
        ))}
        {!hasOwnPage && <Route index element={<Navigate to={start} replace />} />}
        <Route path="*" element={<Alert tone="warning" title="This app has no such page" />} />
      </Routes>
    </AppHostProvider>
  )
}

function Page({ route: { path, Component }, host }: { route: AppRoute; host: AppHost }) {
  const tab = host.app.tabs?.find(({ id }) => id === path.split('/')[0])
  if (tab !== undefined && !mayOpen(tab, host)) return <Alert tone="danger" title="Access denied" />
  return <Component />
}

/** Returns whether the user may open a tab. A tab's role is a part of its app's role. */
function mayOpen({ role }: Tab, { app, hasRole }: AppHost): boolean {
  if (role === undefined) return true
  return hasRole(app.role === undefined ? role : `${app.role}:${role}`)
}
