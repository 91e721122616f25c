import {
  type EdgeCourse,
  type EdgeOutage,
  type EdgeSeries,
  edgeCourseKeys,
  edgeFleetKeys,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { keptFor } from '#platform/database/retention.ts'

/** Seconds of a stored point. */
const minuteWidth = 60
const quarterWidth = 900

export interface Range {
  /** Epoch seconds; the start is a multiple of the width. */
  from: number
  to: number
  /** Seconds of a point. */
  width: number
}

/** Returns a function that makes a list with null for each point of a range. */
const gapsOf =
  ({ from, to, width }: Range) =>
  () =>
    Array.from({ length: Math.ceil((to - from) / width) }, () => null as number | null)

/** Returns the common table `bounds`: quarters hold all values before `quarter`, and minutes those before `minute`. */
function boundsOf({ from, to, width }: Range): RawBuilder<unknown> {
  const [begin, end] = [sql`to_timestamp(${from}::float8)`, sql`to_timestamp(${to}::float8)`]
  const until = (kind: 'minute' | 'quarter', isUsed: boolean): RawBuilder<unknown> =>
    isUsed
      ? sql`greatest(${begin}, coalesce((select until from edge_rollup where kind = ${kind}), ${begin}))`
      : begin
  return sql`bounds as materialized (
    select least(${end}, quarter) as quarter, least(${end}, greatest(quarter, minute)) as minute
    from (select ${until('quarter', width >= quarterWidth)} as quarter,
      ${until('minute', width >= minuteWidth)} as minute) b
  )`
}

/** Selects the points of the series in `asked` that lie within a range and its `bounds`. */
function pointsOf({ from }: Range): RawBuilder<unknown> {
  const begin = sql`to_timestamp(${from}::float8)`
  return sql`
    select q.series, q.at + o.place * interval '15 minutes' as at, o.n, o.low, o.mean, o.high
    from bounds b join edge_quarter q on q.at >= ${begin} - interval '1 day' and q.at < b.quarter
      cross join lateral unnest(q.places, q.counts, q.lows, q.means, q.highs) as o (place, n, low, mean, high)
    where q.series = any(array(select id from asked))
      and q.at + o.place * interval '15 minutes' >= ${begin} and q.at + o.place * interval '15 minutes' < b.quarter
    union all
    select m.series, m.at + o.place * interval '1 minute', o.n, o.low, o.mean, o.high
    from bounds b join edge_minute m on m.at >= b.quarter - interval '1 hour' and m.at < b.minute
      cross join lateral unnest(m.places, m.counts, m.lows, m.means, m.highs) as o (place, n, low, mean, high)
    where m.series = any(array(select id from asked))
      and m.at + o.place * interval '1 minute' >= b.quarter and m.at + o.place * interval '1 minute' < b.minute`
}

/**
 * Selects the first sample of each minute without points. It stands for the whole minute, so that the query need not
 * read the rest of the row.
 */
const firstSamples = ({ to }: Range): RawBuilder<unknown> => sql`
  select a.id, s.at, 1, null, s.readings[array_position(s.series, a.id)], null
  from bounds b join edge_sample s on s.at >= b.minute and s.at < to_timestamp(${to}::float8)
    join asked a on a.edge_id = s.edge_id
  where s.edge_id = any(array(select edge_id from asked)) and s.readings[array_position(s.series, a.id)] is not null`

export function createHistoryRepository(db: Db) {
  return {
    /** Returns the narrowest width in seconds of the points that are stored since an instant. */
    async narrowest(from: number): Promise<number> {
      const { rows } = await sql<{ width: number }>`
        select case when at >= now() - ${keptFor('edgeSamples')} then 0
          when at >= now() - ${keptFor('edgeMinutes')} then ${minuteWidth}::int else ${quarterWidth}::int end as width
        from (select to_timestamp(${from}::float8) as at) asked`.execute(db)
      return rows[0]?.width ?? 0
    },

    /**
     * Aggregates the values of an edge. Wide points are made from the widest stored points that fit, and from samples
     * where no points exist yet. Means are weighted by the number of samples, so every choice gives the same figures.
     */
    async read(edgeId: string, keys: readonly string[] | undefined, range: Range): Promise<EdgeSeries[]> {
      const { from, to, width } = range
      const end = sql`to_timestamp(${to}::float8)`
      const { rows } = await sql<{
        key: string
        unit: string
        place: number
        low: number
        mean: number
        high: number
      }>`
        with asked as materialized (
          select id, key, unit from edge_series where edge_id = ${edgeId}
            and (${keys === undefined} or key = any(${keys ?? []}::text[]))
        ), ${boundsOf(range)}, points as (
          ${pointsOf(range)}
          union all
          select s.series[(o.place - 1) % cardinality(s.series) + 1],
            s.at + s.ticks[(o.place - 1) / cardinality(s.series) + 1] * interval '10 milliseconds',
            1, o.value, o.value, o.value
          from bounds b join edge_sample s on s.at >= b.minute - interval '1 minute' and s.at < ${end}
            cross join lateral unnest(s.readings) with ordinality as o (value, place)
          where s.edge_id = ${edgeId} and o.value is not null
            and s.at + s.ticks[(o.place - 1) / cardinality(s.series) + 1] * interval '10 milliseconds' >= b.minute
            and s.at + s.ticks[(o.place - 1) / cardinality(s.series) + 1] * interval '10 milliseconds' < ${end}
        )
        select a.key, a.unit, floor((extract(epoch from p.at) - ${from}::float8) / ${width}::float8)::int as place,
          min(p.low) as low, sum(p.mean * p.n) / sum(p.n) as mean, max(p.high) as high
        from points p join asked a on a.id = p.series
        group by a.key, a.unit, place order by ${orderOf(sql`a.key`)}, a.key collate "C"`.execute(db)
      const series = new Map<string, EdgeSeries>()
      const gaps = gapsOf(range)
      for (const { key, unit, place, low, mean, high } of rows) {
        const one = series.get(key) ?? { key, unit, min: gaps(), avg: gaps(), max: gaps() }
        series.set(key, one)
        one.min[place] = low
        one.avg[place] = Number(mean.toPrecision(9))
        one.max[place] = high
      }
      return [...series.values()]
    },

    /** Aggregates values of several edges of a project. */
    async courses(projectId: string, edgeIds: readonly string[], range: Range): Promise<EdgeCourse[]> {
      const { from, width } = range
      const ids = sql`${edgeIds}::uuid[]`
      const { rows } = await sql<{ edge: string; key: 'load' | 'memory'; place: number; mean: number }>`
        with asked as materialized (
          select s.id, s.edge_id, s.key from edge_series s join edge e on e.id = s.edge_id
          where s.edge_id = any(${ids}) and e.project_id = ${projectId} and s.key = any(${edgeCourseKeys}::text[])
        ), ${boundsOf(range)}, points as (
          ${pointsOf(range)}
          union all
          ${firstSamples(range)}
        )
        select a.edge_id as edge, a.key,
          floor((extract(epoch from p.at) - ${from}::float8) / ${width}::float8)::int as place,
          sum(p.mean * p.n) / sum(p.n) as mean
        from points p join asked a on a.id = p.series group by a.edge_id, a.key, place order by a.edge_id`.execute(
        db,
      )
      const gaps = gapsOf(range)
      const courses = new Map<string, EdgeCourse>()
      for (const { edge, key, place, mean } of rows) {
        const one = courses.get(edge) ?? { edge, load: gaps(), memory: gaps() }
        courses.set(edge, one)
        one[key][place] = Number(mean.toPrecision(3))
      }
      return [...courses.values()]
    },

    /** Returns the median of the edges of a project for each point of a range. */
    async medians(projectId: string, range: Range): Promise<Map<string, (number | null)[]>> {
      const { from, width } = range
      const { rows } = await sql<{ key: string; place: number; median: number }>`
        with asked as materialized (
          select s.id, s.edge_id, s.key from edge_series s join edge e on e.id = s.edge_id
          where e.project_id = ${projectId} and s.key = any(${edgeFleetKeys}::text[])
        ), ${boundsOf(range)}, points as (
          ${pointsOf(range)} union all ${firstSamples(range)}
        ), means as (
          select p.series, floor((extract(epoch from p.at) - ${from}::float8) / ${width}::float8)::int as place,
            sum(p.mean * p.n) / sum(p.n) as mean
          from points p group by p.series, place
        )
        select a.key, m.place, percentile_cont(0.5) within group (order by m.mean) as median
        from means m join asked a on a.id = m.series group by a.key, m.place`.execute(db)
      const gaps = gapsOf(range)
      const medians = new Map(edgeFleetKeys.map((key) => [key as string, gaps()]))
      for (const { key, place, median } of rows) {
        const course = medians.get(key)
        if (course !== undefined) course[place] = Number(median.toPrecision(3))
      }
      return medians
    },

    async outages(edgeId: string, { from, to }: Range): Promise<EdgeOutage[]> {
      const { rows } = await sql<{ begins: Date; ends: Date | null }>`
        select begins, ends from edge_outage
        where edge_id = ${edgeId} and begins < to_timestamp(${to}::float8)
          and (ends is null or ends > to_timestamp(${from}::float8))
        order by begins`.execute(db)
      return rows.map(({ begins, ends }) => ({
        from: begins.toISOString(),
        to: ends && ends.toISOString(),
      }))
    },
  }
}
