import type { AppManifest } from '@pult/contract'
import type { Caller } from '#platform/http/route.ts'

interface ProjectOfApp {
  _id: string
  owner: string
  products: readonly string[]
}

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
