import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A user who may read a record. */
export interface Reader {
  record_id: string
  person_id: string
}

/**
 * Returns the readers of each record among these people, without records that have none. The query returns positions
 * instead of ids, because transferring ids would take longer than finding them.
 */
export async function amongPeople(
  db: Db,
  readers: RawBuilder<Reader>,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; places: number[] }>`
    select reader.record_id as id, array_agg(asked.place::int) as places
    from (${readers}) reader
      join unnest(${personIds}::uuid[]) with ordinality as asked (id, place) on asked.id = reader.person_id
    group by reader.record_id`.execute(db)
  return new Map(rows.map(({ id, places }) => [id, places.map((place) => personIds[place - 1] ?? '')]))
}
