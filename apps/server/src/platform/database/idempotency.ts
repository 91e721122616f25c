import { type Kysely, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/** A create that may be sent again because its answer was lost. */
export interface RepeatableCreate {
  personId: string
  /** Of the collection. */
  path: string
  /** Undefined when the caller sent none. */
  key: string | undefined
}

const kept = sql`interval '1 day'`

/**
 * Makes a record once, however often the same create is sent within a day, on whatever node: answers the id of the
 * record, be it made now or before. Part of the caller's transaction.
 */
export async function createOnce(
  trx: Db,
  { personId, path, key }: RepeatableCreate,
  create: () => Promise<string>,
): Promise<{ id: string; isNew: boolean }> {
  if (key === undefined) return { id: await create(), isNew: true }
  // Two at once come one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${personId} ${path} ${key}`}, 0))`.execute(trx)
  const before = await trx
    .selectFrom('idempotency')
    .select('record_id')
    .where('person_id', '=', personId)
    .where('path', '=', path)
    .where('key', '=', key)
    .executeTakeFirst()
  if (before !== undefined) return { id: before.record_id, isNew: false }
  const id = await create()
  await trx.insertInto('idempotency').values({ person_id: personId, path, key, record_id: id }).execute()
  return { id, isNew: true }
}

export async function sweepIdempotency(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('idempotency').where(sql<boolean>`created_at < now() - ${kept}`).execute()
}
