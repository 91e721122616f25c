import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Somebody who may read a record. */
export interface Reader {
  record_id: string
  person_id: string
}

/**
 * Of these people, those who are among the readers of each record; one that none of them may read is not there. The
 * database answers their places instead of their ids, which would take longer to carry than to find.
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
