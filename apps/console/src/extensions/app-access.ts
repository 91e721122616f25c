import type { Credentials, Project } from '@pult/contract'
import type { AppManifest, Tab } from './registry.ts'

/** Whether somebody has a role in a project: `reports`, or `reports:export` of one of its parts. */
export function hasRole(
  { _id, isRoot, scope }: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
  role: string,
): boolean {
  if (isRoot) return true
  if (project === null) return false
  return project.owner === _id || scope.includes(`p-${project._id}/r-${role}`)
}

/** Whether somebody may open an app. */
export function mayOpenApp(
  { role }: AppManifest,
  credentials: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
): boolean {
  return role === undefined || hasRole(credentials, project, role)
}

/** Whether somebody may open a tab of an app that they may open. Its role counts below that of the app. */
export function mayOpenTab(
  { role }: Tab,
  app: AppManifest,
  credentials: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
): boolean {
  if (role === undefined) return true
  return hasRole(credentials, project, app.role === undefined ? role : `${app.role}:${role}`)
}
