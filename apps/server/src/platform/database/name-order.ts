import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Returns the key by which lists order a text, without case: Ähre is beside Ahle, and Kran 2 before Kran 10. Browsers
 * compare texts in the same way. Every statement that sorts or pages by a text uses it, and only the database computes
 * it: JavaScript and the collations of other databases lower and compare differently (decision record 252).
 */
export const orderOf = (text: RawBuilder<string | null>): RawBuilder<string> =>
  sql`lower(${text}) collate name_order`

/** Milliseconds between two looks whether another node has written the indexes. */
const otherNodePause = 500

/**
 * Writes the indexes in the order of names again if another version of ICU has another order. Their pages would
 * otherwise leave rows out. Of several nodes, one writes them, and the others wait.
 */
export const renewNameOrder = (db: Kysely<Database>): Promise<void> =>
  db.connection().execute(async (one) => {
    for (let names = await outdatedIndexes(one); names.length > 0; names = await outdatedIndexes(one)) {
      // A statement that waits for the lock would hold up the concurrent writing of indexes, which waits for it.
      if (!(await renewalLock(one, 'pg_try_advisory_lock'))) {
        await sleep(otherNodePause)
        continue
      }
      try {
        for (const name of names) await sql`reindex index concurrently ${sql.raw(name)}`.execute(one)
        await sql`alter collation name_order refresh version`.execute(one)
      } finally {
        await renewalLock(one, 'pg_advisory_unlock')
      }
    }
  })

async function renewalLock(
  db: Kysely<Database>,
  call: 'pg_try_advisory_lock' | 'pg_advisory_unlock',
): Promise<boolean> {
  const { rows } = await sql<{ isDone: boolean }>`
    select ${sql.raw(call)}(hashtextextended('pult name order', 0)) as "isDone"`.execute(db)
  return rows[0]?.isDone === true
}

async function outdatedIndexes(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select d.objid::regclass::text as name
    from pg_collation c join pg_depend d on d.refclassid = 'pg_collation'::regclass and d.refobjid = c.oid
    where c.oid = to_regcollation('name_order') and d.classid = 'pg_class'::regclass
      and c.collversion <> pg_collation_actual_version(c.oid)
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
