import type { Credentials, Project } from '@pult/contract'
import { hasRole, mayOpenApp } from './app-access.ts'
import { type App, type AppManifest, isRootApp } from './registry.ts'

type TabManifest = NonNullable<AppManifest['pageTabs']>[number]

/** A tab that an app adds to a page. */
export interface PageTab {
  /** Part of the address: `{app}/{tab}`. */
  key: string
  app: App
  tab: TabManifest
}

/** Returns the tabs that the user may open on a page of the project; without a project, on a page of root. */
export const pageTabsOf = (
  shown: readonly App[],
  page: TabManifest['page'],
  credentials: Credentials,
  project: Project | null,
): PageTab[] =>
  shown
    .filter((app) => isRootApp(app) === (project === null) && app.state.status !== 'broken')
    .filter(({ manifest }) => mayOpenApp(manifest, credentials, project))
    .flatMap((app) =>
      (app.manifest.pageTabs ?? [])
        .filter((tab) => tab.page === page)
        .filter(({ role }) => role === undefined || hasRole(credentials, project, role))
        .map((tab) => ({ key: `${app.manifest.id}/${tab.id}`, app, tab })),
    )
    .toSorted((a, b) => a.tab.priority - b.tab.priority)
