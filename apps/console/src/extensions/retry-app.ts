import { queryClient } from '#platform/query-client.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { fragmentsQuery } from './extensions.queries.ts'
import { loadEntry, startApps } from './load-extension.ts'
import { type App, isRootApp } from './registry.ts'

/** Loads the extension of an app once more, where that may help; code that has run and failed needs a new page. */
export function retryApp(app: App, canRetry: boolean): void {
  if (!canRetry) return location.reload()
  void reload(app).catch(reportError)
}

async function reload(app: App): Promise<void> {
  const project = isRootApp(app) ? null : await queryClient.query(activeProjectQuery)
  const fragments = await queryClient.query({ ...fragmentsQuery(project?._id ?? null), staleTime: 0 })
  const fragment = fragments.find(({ id }) => id === app.extension.id)
  if (fragment !== undefined) startApps(await loadEntry(fragment))
}
