import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** A successful action on one record. */
export interface RecordEntry {
  id: string
  at: Date
  event: string
  /** Null for actions without a user. */
  actorId: string | null
  /** Null for deleted accounts. */
  actorName: string | null
  detail: Record<string, unknown>
}

/** Returns the newest successful actions on a record of a project. The caller has checked that the user may see it. */
export async function readRecordEntries(
  db: Db,
  { room, target, projectId }: { room: string; target: string; projectId: string },
  most: number,
): Promise<RecordEntry[]> {
  const { rows } = await sql<RecordEntry>`
    select a.id, a.at, a.event, a.actor_id as "actorId", p.firstname || ' ' || p.lastname as "actorName",
      coalesce(a.detail, '{}') as detail
    from audit a left join person p on p.id = a.actor_id
    where a.target = ${target} and a.project_id = ${projectId} and a.result = 'success'
      and split_part(a.event, '.', 1) = ${room}
    order by a.at desc, a.id desc limit ${most}::int`.execute(db)
  return rows
}
