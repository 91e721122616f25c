import type { AppManifest } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'

export interface ProjectOfApp {
  _id: string
  owner: string
  products: readonly string[]
}

/** Returns a project that the caller may see; throws NOT_FOUND otherwise. */
export type FindProject = (caller: Caller, projectId: string) => Promise<ProjectOfApp>

/**
 * Returns whether the caller may open an app: DEC-14, the lines "use a project app with a role" and "root apps". The
 * caller must be able to see the given project.
 */
export function mayOpen(
  { productSku, role }: AppManifest,
  { isRoot, personId, scope }: Caller,
  project: ProjectOfApp | null,
): boolean {
  if (project === null) return productSku === 'root' && isRoot
  if (!project.products.includes(productSku)) return false
  if (isRoot || project.owner === personId || role === undefined) return true
  return scope.includes(`p-${project._id}/r-${role}`)
}

interface OpenedApp {
  /** The app of a running extension by id; undefined if no running extension has it. */
  findApp: (appId: string) => AppManifest | undefined
  findProject: FindProject
}

/**
 * Returns the app of a call and its project. Throws NOT_FOUND if either does not exist or the caller may not see it,
 * and FORBIDDEN if the caller may not open the app.
 */
export async function openedApp(
  { findApp, findProject }: OpenedApp,
  caller: Caller,
  { appId, projectId }: { appId: string; projectId: string | null },
): Promise<{ app: AppManifest; project: ProjectOfApp | null }> {
  const project = projectId === null ? null : await findProject(caller, projectId)
  const app = findApp(appId)
  if (app === undefined) throw new AppError('NOT_FOUND')
  if (!mayOpen(app, caller, project)) throw new AppError('FORBIDDEN')
  return { app, project }
}
