import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import { languageOf } from '#platform/language.ts'
import { signedIn } from '../auth/permissions.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { ProjectService } from './project.service.ts'
import { refusal } from './refusal.ts'

interface AppRoleParts {
  db: Kysely<Database>
  projects: Pick<ProjectService, 'read'>
  products: ProductRegistry
}

/**
 * Returns the permission that a role of a project's app grants. Root and the project's owner hold every role, other
 * users hold those of their grants. An organisation's owner sees the project without holding any role.
 *
 * @param role of an app or of one of its tabs: `project-details:notes`
 */
export function createAppRole(role: string, { db, projects, products }: AppRoleParts) {
  const entryOf = (projectId: string) => `p-${projectId}/r-${role}`

  const permission: Permission<Caller> = {
    name: `role ${role} of the project`,
    async decide(caller, { projectId = '' }, request) {
      const known = await signedIn.decide(caller, {})
      if (known.scope.includes(entryOf(projectId))) return known
      const project = await projects.read(known, projectId)
      if (project.access !== 'owner' && project.access !== 'root') {
        const language = languageOf(request?.headers['accept-language'])
        throw refusal(project, products.rolesWith(role, project.products, language))
      }
      return known
    },
  }

  return {
    permission,

    /** Returns the holders of the role among these people, in one query for all subscribers. */
    async holdersAmong(projectId: string, personIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string; holdsAll: boolean; skus: string[]; productRoles: string[] }>`
        select person.id, person.is_root or p.owner_id = person.id as "holdsAll", p.products as skus,
          array(
            select g.product_role from project_grant g
            where g.project_id = p.id and g.person_id = person.id and g.product_role is not null
          ) as "productRoles"
        from person, project p
        where p.id = ${projectId} and person.id = any(${personIds}::uuid[]) and person.disabled_at is null`.execute(
        db,
      )
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
