import { type EdgeUpdatePolicy, type EdgeUpdates, usualEdgeUpdatePolicy } from '@pult/contract'
import { sql } from 'kysely'
import { isPast, isWithin } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'

/** The agents of a project, by the state of their update to a version. */
export interface UpdateCounts {
  /** Agents with the version or a newer one. */
  done: number
  running: number
  failed: number
  away: number
  /** Online and not ordered. */
  ready: number
  unable: number
  waiting: number
  /** Seconds since the last order of the version; null without one. */
  sinceOrder: number | null
}

/** The policy of a project with its last change. */
export interface SavedPolicy {
  policy: EdgeUpdatePolicy
  /** 0 for a project that uses the default policy. */
  revision: number
  updatedAt: Date | null
  updatedBy: EdgeUpdates['updatedBy']
}

/** An ordered edge without the version after this time counts as away, or can be ordered again. */
const orderTime = sql`interval '5 minutes'`

/** Each further order of a version waits twice as long, up to 21 hours: each may download the whole file in vain. */
const pauseAfterOrder = sql`interval '5 minutes' * power(2, least(u.orders, 9) - 1)`

/** An updated edge that goes offline within this time counts as away as well. */
const watchTime = sql`interval '1 day'`

export function createUpdateRepository(db: Db) {
  /** Selects the enrolled edges with the state of their update to a version. */
  const judged = (version: string) => {
    const numbers = sql`string_to_array(${version}, '.')::int[]`
    const isDone = sql`coalesce(case when p.version ~ '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$'
      then string_to_array(p.version, '.')::int[] >= ${numbers} end, false)`
    return sql`
      select e.id, e.project_id, p.version, u.ordered_at, case
        when ${isDone} then case when not p.is_online and ${isWithin(sql`u.ordered_at`, watchTime)} then 'away' else 'done' end
        when p.report -> 'update' -> 'failed' ->> 'version' = ${version} then 'failed'
        when ${isWithin(sql`u.ordered_at`, orderTime)} then 'running'
        when not p.is_online and u.ordered_at is not null then 'away'
        when p.report -> 'update' ->> 'isReady' is distinct from 'true' then 'unable'
        when p.is_online and ${isWithin(sql`u.ordered_at`, pauseAfterOrder)} is not true then 'ready'
        else 'waiting' end as state
      from edge e join edge_presence p on p.edge_id = e.id
        left join edge_update u on u.edge_id = e.id and u.version = ${version}
      where e.token_hash is not null`
  }

  return {
    /** Acquires the right to order updates until the transaction ends. Returns false while another node has it. */
    async isAlone(): Promise<boolean> {
      const { rows } = await sql<{ isAlone: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('edge_update', 0)) as "isAlone"`.execute(db)
      return rows[0]?.isAlone === true
    },

    /** Returns the projects with online edges of another version. */
    async projectsBehind(version: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct e.project_id as id from edge_presence p join edge e on e.id = p.edge_id
        where p.is_online and p.version <> ${version} and e.token_hash is not null order by 1`.execute(db)
      return rows.map(({ id }) => id)
    },

    async policy(projectId: string): Promise<SavedPolicy> {
      const { rows } = await sql<SavedPolicy>`
        select p.policy, p.revision, p.updated_at as "updatedAt", case when changer.id is not null then
          json_build_object('_id', changer.id, 'firstname', changer.firstname, 'lastname', changer.lastname) end as "updatedBy"
        from edge_update_policy p left join person changer on changer.id = p.updated_by
        where p.project_id = ${projectId}`.execute(db)
      return rows[0] ?? { policy: usualEdgeUpdatePolicy, revision: 0, updatedAt: null, updatedBy: null }
    },

    async setPolicy(projectId: string, policy: EdgeUpdatePolicy, personId: string): Promise<void> {
      const text = JSON.stringify(policy)
      await sql`
        insert into edge_update_policy (project_id, policy, updated_by) values (${projectId}, ${text}::jsonb, ${personId}::uuid)
        on conflict (project_id) do update set policy = excluded.policy, revision = edge_update_policy.revision + 1,
          updated_at = clock_timestamp(), updated_by = excluded.updated_by`.execute(db)
    },

    async counts(projectId: string, version: string): Promise<UpdateCounts> {
      const of = (state: string) => sql`count(*) filter (where state = ${state})`
      const { rows } = await sql<UpdateCounts>`
        select ${of('done')} as done, ${of('running')} as running, ${of('failed')} as failed, ${of('away')} as away,
          ${of('ready')} as ready, ${of('unable')} as unable, ${of('waiting')} as waiting,
          extract(epoch from now() - max(ordered_at) filter (where ${isPast(sql`ordered_at`)}))::float8 as "sinceOrder"
        from (${judged(version)} and e.project_id = ${projectId}) judged`.execute(db)
      return rows[0] as UpdateCounts
    },

    async versions(projectId: string): Promise<{ version: string; count: number }[]> {
      const { rows } = await sql<{ version: string; count: number }>`
        select p.version, count(*) as count from edge e join edge_presence p on p.edge_id = e.id
        where e.project_id = ${projectId} and e.token_hash is not null
        group by p.version order by count(*) desc, ${orderOf(sql`p.version`)}, p.version`.execute(db)
      return rows
    },

    /**
     * Records orders for ready edges, and returns these edges. Each version starts with different edges. An edge that is
     * being moved or revoked is left out.
     */
    async order(projectId: string, version: string, most: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        insert into edge_update (edge_id, version, ordered_at)
        select e.id, ${version}, now() from edge e join (
          select id from (${judged(version)} and e.project_id = ${projectId}) judged
          where state = 'ready' order by md5(id::text || ${version}) limit ${most}::int
        ) ready on ready.id = e.id
        where e.project_id = ${projectId} and e.token_hash is not null for share of e skip locked
        on conflict (edge_id) do update set version = excluded.version, ordered_at = excluded.ordered_at,
          orders = case edge_update.version when excluded.version then edge_update.orders else 0 end + 1
        returning edge_id as id`.execute(db)
      return rows.map(({ id }) => id)
    },

    async orderOne(edgeId: string, version: string): Promise<void> {
      await sql`
        insert into edge_update (edge_id, version, ordered_at) values (${edgeId}, ${version}, now())
        on conflict (edge_id) do update set version = excluded.version, ordered_at = excluded.ordered_at,
          orders = 1`.execute(db)
    },
  }
}
