import { projectOfDocument, withProject } from '#platform/project-address.ts'
import { queryClient } from '#platform/query-client.ts'
import { storage } from '#platform/storage.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { apps, findApp, isRootApp } from './registry.ts'

/**
 * Returns the URL that opens a page in the active project, independently of the stored project. URLs of project apps
 * always name the project. Other URLs name it only if a new start without it would open another project.
 */
export function inProject(href: string): string {
  const projectId = queryClient.getQueryData(activeProjectQuery.queryKey)?._id
  if (projectId === undefined || !/^\/(?!\/|api\/)/.test(href)) return href
  return isAppOfProject(href) || isOtherThanStored(projectId) ? withProject(href, projectId) : href
}

function isAppOfProject(href: string): boolean {
  const appId = /^\/app\/([^/?#]+)/.exec(href)?.[1]
  const app = appId === undefined ? undefined : findApp(apps.get(), appId)
  return app !== undefined && !isRootApp(app)
}

function isOtherThanStored(projectId: string): boolean {
  const stored = storage.activeProjectId.read()
  return stored === null ? projectOfDocument === projectId : stored !== projectId
}
