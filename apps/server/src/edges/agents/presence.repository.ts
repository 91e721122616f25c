import { edgeTimes } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { Agent, FoundEdge } from './agent-door.ts'

/** What became of a connection when it was written down. */
export interface WrittenAgent {
  id: string
  projectId: string
  connection: string
  /** It is the newest one of its edge; an older one was not written. */
  isCurrent: boolean
  wasOnline: boolean
  seenAt: Date
}

const seconds = (milliseconds: number) => sql`make_interval(secs => ${milliseconds / 1000}::float8)`

const isGone = sql`is_online and seen_at < now() - ${seconds(edgeTimes.offline)}`

export function createPresenceRepository(db: Db) {
  return {
    async findByToken(tokenHash: Buffer): Promise<FoundEdge | undefined> {
      return db
        .selectFrom('edge')
        .select(['id as edgeId', 'label', sql<string>`clock_timestamp()::text`.as('foundAt')])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
    },

    /**
     * Writes down how many edges are, in one statement, by the database's clock. What is not answered has a token that
     * is not valid any more. Of two connections of an edge the one that was let in later counts, whichever comes first.
     */
    async write(agents: readonly Agent[], now: number): Promise<WrittenAgent[]> {
      const column = <Value>(read: (agent: Agent) => Value) => agents.map(read)
      const { rows } = await sql<WrittenAgent>`
        with given as (
          select g.*, now() - make_interval(secs => g.age) as seen_at, e.project_id
          from unnest(
            ${column(({ edgeId }) => edgeId)}::uuid[], ${column(({ connection }) => connection)}::uuid[],
            ${column(({ run }) => run)}::uuid[], ${column(({ version }) => version)}::text[],
            ${column(({ tokenHash }) => tokenHash)}::bytea[],
            ${column(({ heardAt }) => (now - heardAt) / 1000)}::float8[],
            ${column(({ report }) => (report === null ? null : JSON.stringify(report)))}::text[],
            ${column(({ isNew }) => isNew)}::boolean[], ${column(({ connectedAt }) => connectedAt)}::timestamptz[]
          ) as g (id, connection, run, version, token_hash, age, report, is_new, connected_at)
          join edge e on e.id = g.id and e.token_hash = g.token_hash
        ), before as (
          select p.edge_id, p.connection, p.connected_at, p.is_online from edge_presence p
          where p.edge_id in (select id from given) order by p.edge_id for update
        ), written as (
          insert into edge_presence as p
            (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
          select g.id, g.connection, g.connected_at, g.run, g.version, true, g.seen_at, g.report::jsonb
          from given g left join before b on b.edge_id = g.id
          where b.connection = g.connection or (g.is_new and (b.connected_at <= g.connected_at) is not false)
          on conflict (edge_id) do update set connection = excluded.connection,
            connected_at = excluded.connected_at, run = excluded.run, version = excluded.version, is_online = true, seen_at = excluded.seen_at, offline_since = null,
            alerted_at = null, report = coalesce(excluded.report, p.report)
            where p.connected_at <= excluded.connected_at
          returning edge_id
        )
        select g.id, g.project_id as "projectId", g.connection, g.seen_at as "seenAt",
          w.edge_id is not null as "isCurrent", coalesce(b.is_online, false) as "wasOnline"
        from given g left join before b on b.edge_id = g.id left join written w on w.edge_id = g.id`.execute(
        db,
      )
      return rows
    },

    /** Whether somebody has not reported for too long. */
    async isAnyGone(): Promise<boolean> {
      const { rows } = await sql<{ isAny: boolean }>`
        select exists (select from edge_presence where ${isGone}) as "isAny"`.execute(db)
      return rows[0]?.isAny === true
    },

    /** Those who have not reported for too long are offline now; each is answered to one node alone. */
    async markOffline(): Promise<{ id: string; projectId: string; isOnline: boolean; seenAt: Date }[]> {
      const { rows } = await sql<{ id: string; projectId: string; isOnline: boolean; seenAt: Date }>`
        update edge_presence p set is_online = false, offline_since = p.seen_at
        from edge e
        where e.id = p.edge_id and p.edge_id in (
          select edge_id from edge_presence where ${isGone} for update skip locked
        )
        returning p.edge_id as id, e.project_id as "projectId", false as "isOnline", p.seen_at as "seenAt"`.execute(
        db,
      )
      return rows
    },

    /** Makes the instances of edges what their agents report. Answers the edges whose instances are others now. */
    async writeInstances(
      reported: readonly { edgeId: string; instances: readonly { key: string; label: string }[] }[],
    ): Promise<{ id: string; projectId: string }[]> {
      const given = reported.flatMap(({ edgeId, instances }) =>
        instances.map(({ key, label }) => ({ id: uuidv7(), edge: edgeId, key, label })),
      )
      const edgeIds = reported.map(({ edgeId }) => edgeId)
      const { rows } = await sql<{ id: string; projectId: string }>`
        with given as (
          select distinct on (e.id, g.key) g.id, e.id as edge_id, g.key, g.label
          from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id uuid, edge uuid, key text, label text)
          join edge e on e.id = g.edge
          order by e.id, g.key, g.id
        ), written as (
          insert into edge_instance as i (id, edge_id, key, reported_label, label, is_reported)
          select id, edge_id, key, label, label, true from given order by edge_id, key
          on conflict (edge_id, key) do update set reported_label = excluded.reported_label, is_reported = true,
            -- A name that was given here stays until the agent says another one.
            label = case when i.reported_label is distinct from excluded.reported_label then excluded.label else i.label end
          where not i.is_reported or i.reported_label is distinct from excluded.reported_label
          returning i.edge_id
        ), gone as (
          update edge_instance i set is_reported = false
          where i.edge_id = any(${edgeIds}::uuid[]) and i.is_reported
            and not exists (select from given g where g.edge_id = i.edge_id and g.key = i.key)
          returning i.edge_id
        )
        select id, project_id as "projectId" from edge
        where id in (select edge_id from written union select edge_id from gone)`.execute(db)
      return rows
    },
  }
}
