import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/** Returns the session of a person as the caller to whom a link is issued. */
export async function sessionOf(
  db: Kysely<Database>,
  { personId }: { personId: string },
): Promise<{ sessionId: string }> {
  const { id } = await db
    .selectFrom('session')
    .select('id')
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return { sessionId: id }
}
