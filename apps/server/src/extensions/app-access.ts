import type { AppManifest } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'

interface ProjectOfApp {
  _id: string
  owner: string
  products: readonly string[]
}

/** A project that the caller sees; NOT_FOUND for any other. */
export type FindProject = (caller: Caller, projectId: string) => Promise<ProjectOfApp>

/**
 * Whether somebody may open an app: DEC-14, its lines "use a project app with a role" and "root apps". A project that
 * is given is one that they see.
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
  /** The app as its manifest says; undefined when no extension that runs brings it. */
  findApp: (appId: string) => AppManifest | undefined
  findProject: FindProject
}

/** The app that somebody calls for, and its project, if they may open it. What is not there, or not seen, is NOT_FOUND. */
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
