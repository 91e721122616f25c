import type { Credentials, Project } from '@pult/contract'
import type { AppManifest, Tab } from './registry.ts'

/** Returns whether the user has a role in a project: `reports`, or the part `reports:export`. */
export function hasRole(
  { _id, isRoot, scope }: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
  role: string,
): boolean {
  if (isRoot) return true
  if (project === null) return false
  return project.owner === _id || scope.includes(`p-${project._id}/r-${role}`)
}

/** Returns whether the user may open an app. */
export function mayOpenApp(
  { role }: AppManifest,
  credentials: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
): boolean {
  return role === undefined || hasRole(credentials, project, role)
}

/** Returns whether the user may open a tab of an accessible app. The tab's role is a part of the app's product. */
export function mayOpenTab(
  { role }: Tab,
  app: AppManifest,
  credentials: Credentials,
  project: Pick<Project, '_id' | 'owner'> | null,
): boolean {
  if (role === undefined) return true
  return hasRole(credentials, project, app.role === undefined ? role : `${app.role}:${role}`)
}
