import { type Kysely, sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { ProjectService } from './project.service.ts'

interface AppRoleParts {
  db: Kysely<Database>
  projects: Pick<ProjectService, 'read'>
  products: ProductRegistry
}

/**
 * Who may do what a role of a project's app allows: root and the project's owner hold every role, others by their
 * grants. An organisation's owner sees the project without holding any.
 *
 * @param role of an app or of a tab of it: `project-details:notes`
 */
export function createAppRole(role: string, { db, projects, products }: AppRoleParts) {
  const entryOf = (projectId: string) => `p-${projectId}/r-${role}`

  const permission: Permission<Caller> = {
    name: `role ${role} of the project`,
    async decide(caller, { projectId = '' }) {
      const known = await signedIn.decide(caller, {})
      if (known.scope.includes(entryOf(projectId))) return known
      const { access } = await projects.read(known, projectId)
      if (access !== 'owner' && access !== 'root') throw new AppError('FORBIDDEN')
      return known
    },
  }

  return {
    permission,

    /** Of these people, those who hold it: asked for all subscribers at once. */
    async holdersAmong(projectId: string, personIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string; holdsAll: boolean; skus: string[]; productRoles: string[] }>`
        select person.id, person.is_root or p.owner_id = person.id as "holdsAll", p.products as skus,
          array(
            select g.product_role from project_grant g
            where g.project_id = p.id and g.person_id = person.id and g.product_role is not null
          ) as "productRoles"
        from person, project p
        where p.id = ${projectId} and person.id = any(${personIds}::uuid[])`.execute(db)
      const isHeld = (productRole: string, skus: string[]) =>
        products.hasRole(productRole, skus) &&
        products.scopeOf([{ projectId, productRole }]).includes(entryOf(projectId))
      return rows
        .filter(
          ({ holdsAll, skus, productRoles }) => holdsAll || productRoles.some((one) => isHeld(one, skus)),
        )
        .map(({ id }) => id)
    },
  }
}
export type AppRole = ReturnType<typeof createAppRole>
