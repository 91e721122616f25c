import type { Credentials, Project } from '@pult/contract'

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

/** The role that a tab or an element of an app asks for. */
export const elementRole = (appRole: string | undefined, role: string) =>
  appRole === undefined ? role : `${appRole}:${role}`
