import {
  type ReplyOf,
  type Retained,
  type RetentionPart,
  retentionDays,
  type retentionEndpoints,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { keptFor } from '#platform/database/retention.ts'

interface Source {
  part: Retained['part']
  /** The table of the records; `parts` are further tables that belong to it. */
  table: string
  parts?: readonly string[]
  /** Time of a record. */
  begins: RawBuilder<unknown>
  /** Time at which the retention starts; null before that. */
  ends?: RawBuilder<unknown>
  setting?: RetentionPart
}

const sources: readonly Source[] = [
  { part: 'audit', table: 'audit', begins: sql`at`, ends: sql`at`, setting: 'audit' },
  { part: 'mails', table: 'mail', begins: sql`created_at`, ends: sql`created_at`, setting: 'mails' },
  {
    part: 'tasks',
    table: 'task',
    parts: ['task_log'],
    begins: sql`created_at`,
    ends: sql`archived_at`,
    setting: 'tasks',
  },
  {
    part: 'sessions',
    table: 'session',
    parts: ['session_token'],
    begins: sql`created_at`,
    ends: sql`greatest(ended_at, least(expires_at, last_seen_at))`,
    setting: 'sessions',
  },
  { part: 'edgeSamples', table: 'edge_sample', begins: sql`at`, ends: sql`at`, setting: 'edgeSamples' },
  { part: 'edgeMinutes', table: 'edge_minute', begins: sql`at`, ends: sql`at`, setting: 'edgeMinutes' },
  { part: 'edgeQuarters', table: 'edge_quarter', begins: sql`at`, ends: sql`at`, setting: 'edgeQuarters' },
  { part: 'events', table: 'event', begins: sql`created_at` },
  // Each edge has one row, which its next report overwrites.
  { part: 'edge-reports', table: 'edge_presence', begins: sql`seen_at` },
]

/** Up to this many rows are counted; PostgreSQL estimates larger numbers. */
const countedMost = 100_000

/** Days of the forecast and of the measurement. */
const ahead = 30
const measured = 7

interface Counted {
  rows: number
  size: number
  oldest: Date | null
  added: number
  leaving: number
  days: number | null
}

/** The tables and their partitions. */
const withPartitions = (names: readonly string[]) => sql`
  select name::regclass::oid from unnest(${names}::text[]) name
  union select inhrelid from unnest(${names}::text[]) name join pg_inherits on inhparent = name::regclass`

export function createRetentionRepository(db: Db) {
  async function read({ part, table, parts = [], begins, ends, setting }: Source): Promise<Retained> {
    const from = sql.table(table)
    const leaving =
      ends === undefined || setting === undefined
        ? sql`0`
        : sql`(select count(*) from ${from} where ${ends} < now() - ${keptFor(setting)} + make_interval(days => ${ahead}::int))`
    const { rows } = await sql<Counted>`
      select
        case when counted.count <= ${countedMost}::int then counted.count
          else greatest(counted.count, (select sum(reltuples)::bigint from pg_class where oid in (${withPartitions([table])}))) end as rows,
        (select sum(pg_total_relation_size(oid))::bigint from (${withPartitions([table, ...parts])}) t (oid)) as size,
        (select min(${begins}) from ${from}) as oldest,
        (select count(*) from ${from} where ${begins} > now() - make_interval(days => ${measured}::int)) as added,
        ${leaving} as leaving,
        ${setting === undefined ? sql`null::int` : sql`extract(day from ${keptFor(setting)})::int`} as days
      from (select count(*) as count from (select from ${from} limit ${countedMost + 1}::int) one) counted`.execute(
      db,
    )
    const [row] = rows
    if (row === undefined) throw new Error(`the query of the table ${table} returned no row`)
    return { part, ...sized(row, ends !== undefined) }
  }

  return {
    parts: () => Promise.all(sources.map(read)),

    async archive(): Promise<ReplyOf<typeof retentionEndpoints.read>['archive']> {
      const { rows } = await sql<{ files: number; entries: number; size: number; oldest: Date | null }>`
        select count(*) as files, coalesce(sum(a.entries), 0)::bigint as entries,
          coalesce(sum(f.size), 0)::bigint as size, min(a.first_at) as oldest
        from audit_archive a join file f on f.id = a.file_id`.execute(db)
      const { files = 0, entries = 0, size = 0, oldest = null } = rows[0] ?? {}
      return { files, entries, size, oldest: oldest && oldest.toISOString() }
    },

    /** Returns the days before and after the change for the given parts. */
    async change(days: Partial<Record<RetentionPart, number>>) {
      const { rows } = await sql<{ before: Partial<Record<RetentionPart, number>> }>`
        with old as (select id, retention from installation for update)
        update installation i set retention = i.retention || ${JSON.stringify(days)}::jsonb
        from old where old.id = i.id returning old.retention as before`.execute(db)
      const before = rows[0]?.before ?? {}
      return Object.keys(days).map((name) => {
        const part = name as RetentionPart
        return { part, from: before[part] ?? retentionDays[part].default, to: days[part] }
      })
    },
  }
}

/** Computes growth and forecast from the rows added in the last days and those to be deleted in the next days. */
function sized(
  { rows, size, oldest, added, leaving, days }: Counted,
  grows: boolean,
): Omit<Retained, 'part'> {
  const age = oldest === null ? 0 : (Date.now() - oldest.getTime()) / 86_400_000
  // A table of a few rows consists mostly of empty pages.
  const perRow = size / Math.max(rows, 1000)
  const perDay = grows ? (added / Math.min(measured, Math.max(1, age))) * perRow : 0
  const change = perDay * Math.min(ahead, days ?? ahead) - leaving * perRow
  return {
    rows,
    size,
    oldest: oldest && oldest.toISOString(),
    growth: Math.round(perDay),
    forecast: Math.round(size + change),
    days,
  }
}
