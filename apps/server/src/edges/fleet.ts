import type { EdgeReport, FleetCounts, FleetState, Home } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { isWithin } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'

export interface EdgeProblem {
  projectId: string
  kind: 'edgeOffline' | 'diskFull' | 'programStopped'
  edge: { _id: string; label: string }
  since: Date
  report: EdgeReport | null
  /** Set while the edge is connected, but does not report. */
  silence: { reason: string | null } | null
  /** The stopped program. */
  program: { _id: string; label: string; key: string } | null
}

/** The number of problems of one kind in a project, and the start of the oldest. */
export interface ProblemCount {
  projectId: string
  kind: string
  count: number
  since: Date
}

/** Edges by state with their problems, of several projects together. */
export interface FleetCondition {
  counts: FleetCounts
  /** Worst first. */
  problems: EdgeProblem[]
  problemCounts: ProblemCount[]
}

/** Maximum number of cells of the fleet card. Larger fleets are counted by tag. */
const cellsMost = 96

/** Number of shown tags, the most used first. */
const tagsMost = 12

/** The state of an edge `e` with its presence `p`. An edge that never connected has no outage. */
export const fleetState = sql<FleetState>`case
  when e.token_hash is null and e.code_hash is null then 'revoked'
  when e.token_hash is null or p.edge_id is null then 'waiting'
  when not p.is_online then 'offline' when p.troubles is not null then 'trouble' else 'online' end`

/** An agent without contact to a node for this long is no longer connected. */
const contactFor = sql`interval '20 seconds'`

export const hasContact = (at: RawBuilder<unknown>) => isWithin(at, contactFor)

/** Whether an edge `e` with its presence `p` is connected, but does not report. It counts as offline as well. */
export const isSilent = sql<boolean>`(not p.is_online and e.token_hash is not null
  and coalesce(${hasContact(sql`p.contact_at`)}, false)) is true`

/**
 * A number in the report of a presence `p`, by its path in the report. Null for anything else: another release may have
 * stored it, and one odd report must not break a list.
 */
export const reported = (path: string, least = 0): RawBuilder<number | null> => {
  const found = `$.${path} ? (@ >= ${least} && @ <= ${Number.MAX_SAFE_INTEGER})`
  return sql`jsonb_path_query_first(p.report, ${sql.lit(found)}::jsonpath)::float8`
}

/** The items of a list in the report of a presence `p`; none of anything else. */
export const reportedItems = (name: 'commands' | 'instances'): RawBuilder<unknown> =>
  sql`jsonb_path_query(p.report, ${sql.lit(`strict $.${name}[*]`)}::jsonpath, silent => true)`

/** The load per core in the report of a presence `p`; null if the report does not contain it. */
export const reportedLoad = sql<number | null>`
  case when (p.report -> 'missing' ?| array['load', 'cores']) is not true
    then ${reported('load[0]')} / ${reported('cores', 1)} end`

const worst = ['offline', 'trouble', 'online', 'waiting', 'revoked'] satisfies FleetState[]

/**
 * The edges `e` of a few projects with their presence `p`. `offset 0` makes PostgreSQL look up each row. Otherwise it
 * would read the presence of all edges, whose rows contain reports.
 */
const joined = sql`
  edge e left join lateral (select * from edge_presence where edge_id = e.id offset 0) p on true`

/** The columns of the fleet's counts, from rows with a `state` and `is_silent`. */
export const fleetCounted = sql`
  count(*) as total, count(*) filter (where state = 'online') as online, count(*) filter (where state = 'trouble') as trouble,
  count(*) filter (where state = 'offline') as offline, count(*) filter (where state = 'waiting') as waiting,
  count(*) filter (where state = 'revoked') as revoked, count(*) filter (where is_silent) as silent`

/**
 * Selects all problems of the projects' edges. Partial indexes contain them, so the number of edges does not matter.
 * Reports are long, so only the reports of shown problems are read.
 */
const problemsIn = (projectIds: RawBuilder<unknown>) => sql`
  select e.project_id, 'edgeOffline' as kind, 0 as rank, e.id, e.label, coalesce(p.offline_since, p.seen_at) as since,
    null as key, ${isSilent} as is_silent
  from edge_presence p join edge e on e.id = p.edge_id
  where not p.is_online and e.token_hash is not null and e.project_id in (${projectIds})
  union all
  select e.project_id, case when t.name = 'disk' then 'diskFull' else 'programStopped' end, 1, e.id, e.label,
    t.since::timestamptz, nullif(substr(t.name, length('program:') + 1), ''), false
  from edge_presence p join edge e on e.id = p.edge_id cross join lateral jsonb_each_text(p.troubles) t (name, since)
  where p.is_online and p.troubles is not null and e.token_hash is not null and e.project_id in (${projectIds})`

/**
 * Selects the worst of the problems `found`, without those of one project: offline edges first, and in each group the
 * longest-lasting problems first.
 */
const worstOf = (most: number, except?: string) => sql`
  select b.project_id as "projectId", b.kind, json_build_object('_id', b.id, 'label', b.label) as edge, b.since, p.report,
    case when b.is_silent then json_build_object('reason', p.silence) end as silence,
    case when i.id is not null then json_build_object('_id', i.id, 'label', i.label, 'key', i.key) end as program
  from (
      select * from found where project_id is distinct from ${except ?? null}::uuid order by rank, since, id limit ${most}::int
    ) b
    join edge_presence p on p.edge_id = b.id
    left join edge_instance i on i.edge_id = b.id and i.key = b.key
  where b.kind <> 'programStopped' or i.id is not null
  order by b.rank, b.since, b.id`

const countsOfFound = sql`
  select project_id as "projectId", kind, count(*), min(since) as since from found group by project_id, kind`

/** Queries the state of edges. `projectIds` is a query of the projects whose edges the caller may see. */
export function createFleet(db: Db) {
  return {
    async problems(projectIds: RawBuilder<unknown>, most: number): Promise<EdgeProblem[]> {
      const { rows } = await sql<EdgeProblem>`
        with found as (${problemsIn(projectIds)}) ${worstOf(most)}`.execute(db)
      return rows
    },

    async problemCounts(projectIds: RawBuilder<unknown>): Promise<ProblemCount[]> {
      const { rows } = await sql<ProblemCount>`
        with found as (${problemsIn(projectIds)}) ${countsOfFound}`.execute(db)
      return rows
    },

    /**
     * Returns the state of the edges of all these projects in one statement. It reads whole presence rows only of edges
     * with problems; an edge in no other state counts as online. The problems of the project `except` are only counted.
     */
    async condition(projectIds: RawBuilder<unknown>, most: number, except?: string): Promise<FleetCondition> {
      const { rows } = await sql<{
        edges: {
          total: number
          revoked: number
          waiting: number
          offline: number
          trouble: number
          silent: number
        }
        problems: WithTime<EdgeProblem>[]
        problemCounts: WithTime<ProblemCount>[]
      }>`
        with ids (id) as materialized (${projectIds}),
        found as materialized (${problemsIn(sql`select id from ids`)}),
        edges as (
          select count(*) as total, count(*) filter (where e.token_hash is null and e.code_hash is null) as revoked,
            count(*) filter (where e.token_hash is null and e.code_hash is not null
              or e.token_hash is not null and p.edge_id is null) as waiting,
            (select count(*) from found where kind = 'edgeOffline') as offline,
            (select count(distinct id) from found where kind <> 'edgeOffline') as trouble,
            (select count(*) from found where is_silent) as silent
          from edge e left join (select edge_id from edge_presence) p on p.edge_id = e.id
          where e.project_id in (select id from ids)
        )
        select (select to_json(edges) from edges) as edges,
          (select coalesce(json_agg(worst), '[]') from (${worstOf(most, except)}) worst) as problems,
          (select coalesce(json_agg(counted), '[]') from (${countsOfFound}) counted) as "problemCounts"`.execute(
        db,
      )
      const [{ edges, problems, problemCounts }] = rows as [(typeof rows)[number]]
      const { total, revoked, waiting, offline, trouble, silent } = edges
      const online = total - revoked - waiting - offline - trouble
      return {
        counts: { total, online, trouble, offline, waiting, revoked, silent },
        problems: problems.map(withTime),
        problemCounts: problemCounts.map(withTime),
      }
    },

    async countsByProject(projectIds: readonly string[]): Promise<ReadonlyMap<string, FleetCounts>> {
      const { rows } = await sql<FleetCounts & { id: string }>`
        select id, ${fleetCounted} from (
          select wanted.id, e.state, e.is_silent
          from unnest(${projectIds}::uuid[]) wanted (id) cross join lateral (
            select e.*, ${fleetState} as state, ${isSilent} as is_silent from ${joined} where e.project_id = wanted.id
          ) e
        ) states group by id`.execute(db)
      return new Map(rows.map(({ id, ...counts }) => [id, counts]))
    },

    /**
     * Returns the fleet of one project, and the end of its last outage or trouble if it is known. All parts share one
     * read of the edges.
     */
    async ofProject(
      projectId: string,
    ): Promise<{ fleet: NonNullable<Home['fleet']>; wellSince: Date | null }> {
      const { rows } = await sql<
        FleetCounts & {
          programs: number
          running: number
          decks: number
          wellSince: Date | null
          cells: NonNullable<Home['fleet']>['cells']
          tags: (FleetCounts & { tag: string | null })[]
        }
      >`
        with edges as materialized (
          select e.id, e.label, e.tags, ${fleetState} as state, ${isSilent} as is_silent, p.is_online and e.token_hash is not null as is_online,
            p.programs, p.programs_running, p.decks, p.well_since
          from ${joined} where e.project_id = ${projectId}::uuid
        ), totals as (
          select ${fleetCounted}, coalesce(sum(programs) filter (where is_online), 0)::int as programs,
            coalesce(sum(programs_running) filter (where is_online), 0)::int as running,
            coalesce(sum(decks) filter (where is_online), 0)::int as decks, max(well_since) as "wellSince"
          from edges
        ), tagged as materialized (
          select tag, ${fleetCounted} from edges, unnest(tags) tag where (select total from totals) > ${cellsMost}::int
          group by tag order by total desc, ${orderOf(sql`tag`)}, tag collate "C" limit ${tagsMost}::int
        ), tags as (
          select * from tagged
          union all
          select null, ${fleetCounted} from edges where tags = '{}' and exists (select from tagged) having count(*) > 0
        ), worst as (
          select id, label, state, array_position(${worst}::text[], state) as place from edges
          order by place, ${orderOf(sql`label`)}, id limit ${cellsMost}::int
        ), cells as (
          select worst.id as "_id", worst.label, worst.state,
            case when worst.state in ('online', 'trouble') then round(${reportedLoad} * 100) end as load, worst.place
          from worst left join edge_presence p on p.edge_id = worst.id
        )
        select totals.*,
          (select coalesce(json_agg(tags order by tag is null, total desc, ${orderOf(sql`tag`)}, tag collate "C"), '[]') from tags) as tags,
          case when exists (select from tagged) then '[]' else (
            select coalesce(json_agg(json_build_object('_id', "_id", 'label', label, 'state', state, 'load', load)
              order by place, ${orderOf(sql`label`)}, "_id"), '[]') from cells
          ) end as cells
        from totals`.execute(db)
      const { programs, running, decks, wellSince, cells, tags, ...counts } = rows[0] as (typeof rows)[number]
      return {
        fleet: {
          counts,
          cells,
          tags: tags.map(({ tag, ...ofTag }) => ({ tag, counts: ofTag })),
          programs: { running, total: programs },
          decks,
        },
        wellSince,
      }
    },
  }
}
export type Fleet = ReturnType<typeof createFleet>

/** Rows within JSON contain times as text. */
type WithTime<Row extends { since: Date }> = Omit<Row, 'since'> & { since: string }
const withTime = <Row extends { since: string }>({ since, ...row }: Row) => ({
  ...row,
  since: new Date(since),
})
