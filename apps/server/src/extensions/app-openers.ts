import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { ProductRegistry } from './manifests/product-registry.ts'

interface AppOpenersParts {
  db: Kysely<Database>
  products: ProductRegistry
  /** Returns the readers of the project among these people. */
  readersOf: (projectId: string, personIds: readonly string[]) => Promise<readonly string[]>
}

export interface AppInProject {
  appId: string
  projectId: string
}

/** Returns the people who may open an app in a project, by the rules of `mayOpen`, in one query for all subscribers. */
export function createAppOpeners({ db, products, readersOf }: AppOpenersParts) {
  return async (
    { appId, projectId }: AppInProject,
    personIds: readonly string[],
  ): Promise<readonly string[]> => {
    const app = products.findApp(appId)
    if (app === undefined) return []
    const { rows } = await sql<{ id: string; holdsAll: boolean; skus: string[]; productRoles: string[] }>`
      select person.id, person.is_root or p.owner_id = person.id as "holdsAll", p.products as skus,
        array(
          select g.product_role from project_grant g
          where g.project_id = p.id and g.person_id = person.id and g.product_role is not null
        ) as "productRoles"
      from person, project p
      where p.id = ${projectId} and person.id = any(${personIds}::uuid[])
        and ${app.productSku} = any(p.products)`.execute(db)
    if (app.role === undefined) return rows.length === 0 ? [] : readersOf(projectId, personIds)
    const entry = `p-${projectId}/r-${app.role}`
    const isHeld = (productRole: string, skus: string[]) =>
      products.hasRole(productRole, skus) && products.scopeOf([{ projectId, productRole }]).includes(entry)
    return rows
      .filter(({ holdsAll, skus, productRoles }) => holdsAll || productRoles.some((one) => isHeld(one, skus)))
      .map(({ id }) => id)
  }
}
export type AppOpeners = ReturnType<typeof createAppOpeners>
