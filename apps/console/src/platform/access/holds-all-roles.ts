import type { Credentials, Project } from '@pult/contract'

/** Whether the user holds every role of a project, or of root's apps without one, and so cannot lack one. */
export const holdsAllRoles = (
  { _id, isRoot }: Pick<Credentials, '_id' | 'isRoot'>,
  project: Pick<Project, 'owner'> | null | undefined,
): boolean => isRoot || project?.owner === _id
