import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Returns the key by which lists order a text, without case: Ähre is beside Ahle, and Kran 2 before Kran 10. Browsers
 * compare texts in the same way. Every statement that sorts or pages by a text uses it, and only the database computes
 * it: JavaScript and the collations of other databases lower and compare differently (decision record 252).
 */
export const orderOf = (text: RawBuilder<string | null>): RawBuilder<string> =>
  sql`lower(${text}) collate name_order`

/**
 * Writes the indexes in the order of names again if another version of ICU has another order. Their pages would
 * otherwise leave rows out.
 */
export async function renewNameOrder(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select d.objid::regclass::text as name
    from pg_collation c join pg_depend d on d.refclassid = 'pg_collation'::regclass and d.refobjid = c.oid
    where c.oid = to_regcollation('name_order') and d.classid = 'pg_class'::regclass
      and c.collversion <> pg_collation_actual_version(c.oid)
    order by 1`.execute(db)
  if (rows.length === 0) return
  for (const { name } of rows) await sql`reindex index concurrently ${sql.raw(name)}`.execute(db)
  await sql`alter collation name_order refresh version`.execute(db)
}
