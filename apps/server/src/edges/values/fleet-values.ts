import {
  edgeFleetCoursesMost,
  type edgeFleetKeys,
  type edgeValueEndpoints,
  type ReplyOf,
} from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { shares } from '../edge-order.ts'

type FleetValues = ReplyOf<typeof edgeValueEndpoints.fleet>
type Key = (typeof edgeFleetKeys)[number]

interface PresentValues extends Pick<FleetValues, 'reachable' | 'outages'> {
  measures: Omit<FleetValues['measures'][number], 'course'>[]
  /** Whether the fleet is small enough for its courses, the values of the last 24 hours. */
  hasCourses: boolean
}

/** Returns the current values of the online edges of a project, and the outages of the last day. */
export async function presentFleetValues(db: Db, projectId: string): Promise<PresentValues> {
  const { load, memory, disk } = shares
  const median = (share: Key) =>
    sql`round(100 * percentile_cont(0.5) within group (order by ${sql.ref(share)}))`
  const highest = (share: Key) => sql`round(100 * max(${sql.ref(share)}))`
  const [now, reach] = await Promise.all([
    sql<Record<`${Key}Median` | `${Key}Highest`, number | null>>`
      select ${median('load')} as "loadMedian", ${highest('load')} as "loadHighest",
        ${median('memory')} as "memoryMedian", ${highest('memory')} as "memoryHighest",
        ${median('disk')} as "diskMedian", ${highest('disk')} as "diskHighest"
      from (
        select ${load} as load, ${memory} as memory, ${disk} as disk
        from edge e join edge_presence p on p.edge_id = e.id
        where e.project_id = ${projectId} and p.is_online and e.token_hash is not null
      ) online`.execute(db),
    sql<{ edges: number; reachable: number | null; outages: number }>`
      with known as materialized (
        select e.id, greatest(now() - interval '1 day', e.enrolled_at) as since
        from edge e join edge_presence p on p.edge_id = e.id
        where e.project_id = ${projectId} and e.token_hash is not null and coalesce(e.enrolled_at <= now(), true)
      ), away as (
        select count(*) as outages, sum(extract(epoch from
          least(o.ends, now()) - greatest(o.begins, known.since)))::float8 as seconds
        from known join edge_outage o on o.edge_id = known.id
        where o.begins < now() and coalesce(o.ends, now()) > known.since
      )
      select count(known.id) as edges, max(away.outages) as outages,
        1 - coalesce(max(away.seconds), 0) / nullif(sum(extract(epoch from now() - known.since))::float8, 0) as reachable
      from away left join known on true`.execute(db),
  ])
  const [values] = now.rows
  const [{ edges, reachable, outages }] = reach.rows as [(typeof reach.rows)[number]]
  return {
    measures: (['load', 'memory', 'disk'] as const).map((key) => ({
      key,
      median: values?.[`${key}Median`] ?? null,
      highest: values?.[`${key}Highest`] ?? null,
    })),
    reachable,
    outages,
    hasCourses: edges <= edgeFleetCoursesMost,
  }
}
