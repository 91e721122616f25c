import { limits } from '@pult/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPast } from '#platform/database/clock.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { keptFor } from '#platform/database/retention.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import { periodOf, type Ring, type RingKind, rings, secondsOfDay } from './rings.ts'

/** A truncation does not wait longer for readers. The next clean-up retries it. */
const lockTimeout = sql`set local lock_timeout = '2s'`

/** Number of deletions that the log names in one clean-up: the largest first. */
const loggedMost = 20

/** Truncates expired partitions, which frees their disk space immediately, and deletes old outages. */
export async function sweepEdgeValues(db: Kysely<Database>): Promise<void> {
  for (const kind of Object.keys(rings) as RingKind[]) await sweepRing(db, kind)
  await deleteInBatches(db, 'edge_outage', sql`ends < now() - ${keptFor('edgeQuarters')}`)
  await removeDeleted(db)
  await removeUnused(db)
}

const partitionOf = (table: Ring['table'], part: number) => `${table}_${part}`

async function sweepRing(db: Kysely<Database>, kind: RingKind): Promise<void> {
  const { days, parts, setting, table } = rings[kind]
  const { rows } = await sql<{ present: number; first: number }>`
    select ${periodOf(sql`now()`, days)} as present,
      ${periodOf(sql`now() - coalesce(${keptFor(setting)}, interval '0')`, days)} as first`.execute(db)
  const [{ present, first } = { present: 0, first: 0 }] = rows
  for (let part = 0; part < parts; part += 1) {
    // The latest period of this partition up to the next one. The partition must be empty before that one begins.
    const period = present + 1 - ((((present + 1 - part) % parts) + parts) % parts)
    const begin = sql`to_timestamp(${period * days * secondsOfDay}::float8)`
    const name = partitionOf(table, part)
    const partition = sql.table(name)
    const isOver = period < first
    // One row shows the age of a partition, but a row that a clock wrote ahead of time would hide older ones.
    const judged = isOver ? sql`true` : isPast(sql`at`)
    const some = await sql<{
      isOld: boolean
    }>`select at < ${begin} as "isOld" from ${partition} where ${judged} limit 1`.execute(db)
    const [row] = some.rows
    if (row === undefined || (!isOver && !row.isOld)) continue
    if (isOver || period > present) {
      await db.transaction().execute(async (trx) => {
        await lockTimeout.execute(trx)
        await sql`truncate ${partition}`.execute(trx)
      })
    } else await deleteInBatches(db, name, sql`at < ${begin}`)
  }
  await sql`
    delete from edge_values_used
    where kind = ${kind} and period < to_timestamp(${first * days * secondsOfDay}::float8)`.execute(db)
}

/** Deletes rows of all partitions. */
async function deleteFrom(
  db: Kysely<Database>,
  { table, parts }: Ring,
  condition: RawBuilder<unknown>,
): Promise<void> {
  for (let part = 0; part < parts; part += 1) await deleteInBatches(db, partitionOf(table, part), condition)
}

/** Deletes values of deleted edges, edge by edge. A project and its edges are deleted in one statement. */
async function removeDeleted(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ edge: string; series: number[] }>`
    select edge_id as edge, array_agg(id) as series from edge_series s
    where not exists (select from edge where id = s.edge_id) group by edge_id`.execute(db)
  for (const { edge, series } of rows) {
    await deleteFrom(db, rings.sample, sql`edge_id = ${edge}`)
    for (const ring of [rings.minute, rings.quarter])
      await deleteFrom(db, ring, sql`series = any(${series}::int[])`)
    await sql`delete from edge_series where edge_id = ${edge}`.execute(db)
  }
  await sql`delete from edge_values_used u where not exists (select from project where id = u.project_id)`.execute(
    db,
  )
}

/**
 * Deletes series without values of edges with many: the programs of such an edge change the names of their values, and
 * it would get no more series. A node that knows a deleted series forgets it within an hour.
 */
async function removeUnused(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from edge_series s
    where edge_id in (
        select edge_id from edge_series group by edge_id having count(*) > ${limits.edgeSeriesMax / 2}::int)
      and not exists (select from edge_sample v where v.edge_id = s.edge_id and s.id = any(v.series))
      and not exists (select from edge_minute v where v.series = s.id)
      and not exists (select from edge_quarter v where v.series = s.id)`.execute(db)
}

interface Excess {
  projectId: string
  kind: RingKind
  period: string
  bytes: number
}

/**
 * Deletes values of projects that exceed their quota: the oldest samples first, then points of minutes, then points of
 * quarters of an hour. Samples remain until their points exist. The log names the projects.
 */
export function createValuesQuota(quota: number, log: Log) {
  return async function sweepValuesQuota(db: Kysely<Database>): Promise<void> {
    const { rows } = await sql<Excess>`
      select project_id as "projectId", kind, period::text, bytes from (
        select project_id, kind, period, bytes, total, sum(bytes) over (partition by project_id
          order by case kind when 'sample' then 0 when 'minute' then 1 else 2 end, period) - bytes as before
        from edge_values_used join (
          select project_id, sum(bytes) as total from edge_values_used group by project_id
          having sum(bytes) > ${quota}::bigint
        ) large using (project_id)
        where kind = 'quarter' or period < (
          select until from edge_rollup r
          where r.kind = case edge_values_used.kind when 'sample' then 'minute' else 'quarter' end)
      ) ordered where total - before > ${quota}::bigint`.execute(db)
    for (const { projectId, kind, period } of rows) {
      const ring = rings[kind]
      const { quotaDays } = ring
      await deleteFrom(
        db,
        ring,
        sql`${ownedBy(ring, projectId)} and at >= ${period}::timestamptz
          and at < ${period}::timestamptz + make_interval(secs => ${quotaDays * secondsOfDay}::float8)`,
      )
      await sql`
        delete from edge_values_used
        where project_id = ${projectId} and kind = ${kind} and period = ${period}::timestamptz`.execute(db)
    }
    if (rows.length > 0)
      log.info(deletionsOf(rows), 'values were deleted because projects exceed EDGE_VALUES_QUOTA')
  }
}

/** Returns the bytes and periods that were deleted of each project and kind. */
function deletionsOf(rows: readonly Excess[]) {
  const groups = [...Map.groupBy(rows, ({ projectId, kind }) => `${projectId} ${kind}`).values()]
  const deletions = groups.flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { projectId, kind } = first
    return [{ projectId, kind, periods: same.length, bytes: same.reduce((sum, { bytes }) => sum + bytes, 0) }]
  })
  return {
    projects: new Set(rows.map(({ projectId }) => projectId)).size,
    deletions: deletions.toSorted((one, other) => other.bytes - one.bytes).slice(0, loggedMost),
  }
}

const ownedBy = ({ table }: Ring, projectId: string) =>
  table === 'edge_sample'
    ? sql`edge_id = any(array(select id from edge where project_id = ${projectId}))`
    : sql`series = any(array(
        select s.id from edge_series s join edge e on e.id = s.edge_id where e.project_id = ${projectId}))`
