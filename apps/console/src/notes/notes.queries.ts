import type { Credentials, Project } from '@pult/contract'

/** Notes are for root, the project's owner and those who have the role. The server decides; this shows the way or not. */
export function mayUseNotes({ _id, isRoot, scope }: Credentials, project: Project): boolean {
  return isRoot || project.owner === _id || scope.includes(`p-${project._id}/r-project-details:notes`)
}
