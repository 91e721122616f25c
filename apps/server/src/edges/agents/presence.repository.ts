import { type EdgeReport, edgeTimes, limits } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { Agent } from './agent-gateway.ts'

/** The result of writing a connection. */
export interface WrittenAgent {
  id: string
  projectId: string
  connection: string
  /** Whether it is the newest connection of its edge. Reports of older connections are not written. */
  isCurrent: boolean
  wasOnline: boolean
  seenAt: Date
  /** Whether a problem of the edge begins or ends with this report. */
  isTroubleNew: boolean
}

const seconds = (milliseconds: number) => sql`make_interval(secs => ${milliseconds / 1000}::float8)`

/** A report of the future was written when the clock was wrong: it counts as old. */
const isGoneAt = (at: RawBuilder<unknown>) => sql`is_online
  and (seen_at < ${at} - ${seconds(edgeTimes.offline)} or seen_at > ${at} + ${seconds(edgeTimes.offline)})`

/** A disk is nearly full from this used share on. */
const fullDisk = 0.9

/** Returns the problems of an edge by name. A report without a disk has no disk problem. */
function troublesOf(report: EdgeReport | null): string[] {
  if (report === null) return []
  const { disk, instances } = report
  const isFull = disk !== null && disk.total > 0 && disk.total - disk.free >= disk.total * fullDisk
  const stopped = instances.filter(({ state }) => state === 'stopped')
  return [...(isFull ? ['disk'] : []), ...stopped.map(({ key }) => `program:${key}`)]
}

/**
 * Maximum number of programs of an edge, with those that it no longer reports. An agent that renames its programs in
 * each report would otherwise fill the table.
 */
const instancesMost = 2 * limits.edgeInstancesMax

export function createPresenceRepository(db: Db) {
  return {
    async findByToken(tokenHash: Buffer): Promise<{ edgeId: string } | undefined> {
      return db
        .selectFrom('edge')
        .select('id as edgeId')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
    },

    /**
     * Writes the reports of many edges in one statement, by the database's clock. An edge missing from the result has
     * an invalid token. Of two connections of an edge, the one accepted later is current, in any order of their
     * reports.
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
            ${column(({ reportedAt }) => (now - reportedAt) / 1000)}::float8[],
            ${column(({ report }) => (report === null ? null : JSON.stringify(report)))}::text[],
            ${column(({ isNew }) => isNew)}::boolean[], ${column(({ number }) => number)}::bigint[],
            ${column(({ report }) => JSON.stringify(troublesOf(report)))}::text[],
            ${column(({ report }) => report?.instances.length ?? 0)}::int[],
            ${column(({ report }) => report?.instances.filter(({ state }) => state === 'running').length ?? 0)}::int[],
            ${column(({ report }) => report?.decks.devices.length ?? 0)}::int[]
          ) as g (id, connection, run, version, token_hash, age, report, is_new, number, troubles, programs,
            programs_running, decks)
          join edge e on e.id = g.id and e.token_hash = g.token_hash
        ), before as (
          select p.edge_id, p.connection, p.connection_number, p.is_online, p.troubles from edge_presence p
          where p.edge_id in (select id from given) order by p.edge_id for update
        ), after as (
          select g.id, case when g.report is null then b.troubles else (
            select jsonb_object_agg(name, coalesce(b.troubles ->> name, now()::text))
            from jsonb_array_elements_text(g.troubles::jsonb) name
          ) end as troubles
          from given g left join before b on b.edge_id = g.id
        ), written as (
          insert into edge_presence as p
            (edge_id, connection, connection_number, run, version, is_online, seen_at, report, troubles, programs,
              programs_running, decks)
          select g.id, g.connection, g.number, g.run, g.version, true, g.seen_at, g.report::jsonb, a.troubles,
            g.programs, g.programs_running, g.decks
          from given g join after a on a.id = g.id left join before b on b.edge_id = g.id
          where b.connection = g.connection or (g.is_new and (b.connection_number <= g.number) is not false)
          on conflict (edge_id) do update set connection = excluded.connection,
            connection_number = excluded.connection_number, run = excluded.run, version = excluded.version, is_online = true, seen_at = excluded.seen_at, offline_since = null,
            alerted_at = null, report = coalesce(excluded.report, p.report), troubles = excluded.troubles,
            well_since = case
              when excluded.troubles is null and (not p.is_online or p.troubles is not null) then now()
              else p.well_since end,
            programs = case when excluded.report is null then p.programs else excluded.programs end,
            programs_running = case when excluded.report is null then p.programs_running else excluded.programs_running end,
            decks = case when excluded.report is null then p.decks else excluded.decks end
            where p.connection_number <= excluded.connection_number
          returning edge_id
        ), back as (
          update edge_outage o set ends = greatest(g.seen_at, o.begins)
          from given g join written w on w.edge_id = g.id where o.edge_id = g.id and o.ends is null
        )
        select g.id, g.project_id as "projectId", g.connection, g.seen_at as "seenAt",
          w.edge_id is not null as "isCurrent", coalesce(b.is_online, false) as "wasOnline",
          b.troubles is distinct from a.troubles as "isTroubleNew"
        from given g join after a on a.id = g.id left join before b on b.edge_id = g.id left join written w on w.edge_id = g.id`.execute(
        db,
      )
      return rows
    },

    /** Returns the database's present, and whether any edge had not reported for too long then. */
    async findGone(): Promise<{ at: Date; isAny: boolean }> {
      const { rows } = await sql<{ at: Date; isAny: boolean }>`
        select now() as at, exists (select from edge_presence where ${isGoneAt(sql`now()`)}) as "isAny"`.execute(
        db,
      )
      return rows[0] as { at: Date; isAny: boolean }
    },

    /**
     * Marks edges that had not reported for too long at `at` as offline, except `spared`. Each is returned to one node
     * only.
     */
    async markOffline(
      at: Date,
      spared: readonly string[],
    ): Promise<{ id: string; projectId: string; isOnline: boolean; seenAt: Date }[]> {
      const { rows } = await sql<{ id: string; projectId: string; isOnline: boolean; seenAt: Date }>`
        with gone as (
          update edge_presence p set is_online = false, seen_at = least(p.seen_at, ${at}),
            offline_since = least(p.seen_at, ${at})
          from edge e
          where e.id = p.edge_id and p.edge_id in (
            select edge_id from edge_presence where ${isGoneAt(sql`${at}::timestamptz`)} and edge_id <> all(${spared}::uuid[])
            for update skip locked
          )
          returning p.edge_id as id, e.project_id as "projectId", false as "isOnline", p.seen_at as "seenAt"
        ), begun as (
          insert into edge_outage (edge_id, begins) select id, "seenAt" from gone on conflict do nothing
        )
        select * from gone`.execute(db)
      return rows
    },

    /** Updates the instances of edges from their agents' reports. Returns the edges whose instances have changed. */
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
        ), numbered as (
          select g.*, i.id is not null as is_known, row_number() over (partition by g.edge_id, i.id is null order by g.key)
            + (select count(*) from edge_instance where edge_id = g.edge_id) as number
          from given g left join edge_instance i on i.edge_id = g.edge_id and i.key = g.key
        ), written as (
          insert into edge_instance as i (id, edge_id, key, reported_label, label, is_reported)
          select id, edge_id, key, label, label, true from numbered
          where is_known or number <= ${instancesMost}::int order by edge_id, key
          on conflict (edge_id, key) do update set reported_label = excluded.reported_label, is_reported = true,
            -- A label set in the console remains until the agent reports another one.
            label = case when normalize(i.reported_label, NFC) is distinct from excluded.reported_label then excluded.label else i.label end
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
