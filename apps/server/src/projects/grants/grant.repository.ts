import type { Grant, GrantOfPerson } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { grantOf } from './grant.ts'

export function createGrantRepository(db: Db) {
  const grantsOf = (projectId: string) =>
    db
      .selectFrom('project_grant as g')
      .innerJoin('person', 'person.id', 'g.person_id')
      .select(['g.id', 'g.person_id', 'g.product_role', 'person.firstname', 'person.lastname'])
      .where('g.project_id', '=', projectId)

  return {
    async find(projectId: string, grantId: string): Promise<Grant | undefined> {
      const row = await grantsOf(projectId).where('g.id', '=', grantId).executeTakeFirst()
      return row && grantOf(row)
    },

    /** Returns the person's grants in one project. */
    async listIn(projectId: string, personId: string): Promise<Grant[]> {
      const rows = await grantsOf(projectId).where('g.person_id', '=', personId).orderBy('g.id').execute()
      return rows.map(grantOf)
    },

    async listOf(personId: string): Promise<GrantOfPerson[]> {
      const rows = await db
        .selectFrom('project_grant as g')
        .innerJoin('project as p', 'p.id', 'g.project_id')
        .select(['g.id', 'g.product_role', 'p.id as projectId', 'p.label', 'p.products'])
        .where('g.person_id', '=', personId)
        .orderBy(orderOf(sql`p.label`))
        .orderBy('g.id')
        .execute()
      return rows.map(({ id, product_role, projectId, label, products }) => ({
        _id: id,
        productRole: product_role,
        project: { _id: projectId, label, products },
      }))
    },

    /** Returns the id of the new grant; undefined if the project was deleted or the person already holds the role. */
    async add(projectId: string, personId: string, productRole: string | null): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        insert into project_grant (id, project_id, person_id, product_role)
        select ${uuidv7()}::uuid, id, ${personId}::uuid, ${productRole} from project where id = ${projectId}
        on conflict do nothing returning id`.execute(db)
      return rows[0]?.id
    },

    async setProductRole(grantId: string, productRole: string | null): Promise<void> {
      await db
        .updateTable('project_grant')
        .set({ product_role: productRole })
        .where('id', '=', grantId)
        .execute()
    },

    async remove(grantId: string): Promise<void> {
      await db.deleteFrom('project_grant').where('id', '=', grantId).execute()
    },
  }
}
export type GrantRepository = ReturnType<typeof createGrantRepository>
