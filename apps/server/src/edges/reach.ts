import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/**
 * Returns the share of the last seven days, from 0 to 1, in which the edges of each project were connected. Reads only
 * the outages of these edges. Time before the enrolment of an edge does not count, and no time of the future does.
 */
export function createReach(db: Db) {
  return async function reach(projectIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await sql<{ projectId: string; share: number }>`
      with asked as materialized (
        select e.project_id, e.id, greatest(e.enrolled_at, now() - interval '7 days') as since
        from edge e
        where e.project_id = any(${projectIds}::uuid[]) and e.token_hash is not null
          and coalesce(e.enrolled_at <= now(), true) and exists (select from edge_presence p where p.edge_id = e.id)
      )
      select a.project_id as "projectId",
        1 - coalesce(extract(epoch from sum(o.lost)) / nullif(extract(epoch from sum(now() - a.since)), 0), 0)::float8 as share
      from asked a cross join lateral (
        select sum(least(ends, now()) - greatest(begins, a.since)) as lost from edge_outage
        where edge_id = a.id and begins < now() and (ends is null or ends > a.since) offset 0
      ) o group by a.project_id`.execute(db)
    return new Map(rows.map(({ projectId, share }) => [projectId, Math.max(0, share)]))
  }
}
