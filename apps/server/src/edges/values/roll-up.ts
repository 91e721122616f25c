import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { countBytes, partOf, rings } from './rings.ts'

/** Samples that arrive up to this long after an hour are in its points. Agents store samples for a shorter time. */
const lateness = sql`interval '30 minutes'`

/** Edges or series per statement. */
const edgesAtOnce = 200
const seriesAtOnce = 2000

/**
 * Adds the points of one hour or day, and counts their bytes. A row with fewer points was made before the end of its
 * time, by a clock that was ahead.
 */
const insertPoints = (
  kind: 'minute' | 'quarter',
  at: RawBuilder<unknown>,
  points: RawBuilder<unknown>,
) => sql`
  with points as (${points}), rows as (
    select series, array_agg(place order by place) as places, array_agg(n order by place) as counts,
      array_agg(low order by place) as lows, array_agg(mean order by place) as means,
      array_agg(high order by place) as highs
    from points group by series
  ), added as (
    insert into ${sql.table(rings[kind].table)} as present (part, series, at, places, counts, lows, means, highs)
    select ${partOf(rings[kind], at)}, series, ${at}, places, counts, lows, means, highs from rows order by series
    on conflict (series, at, part) do update set places = excluded.places, counts = excluded.counts,
      lows = excluded.lows, means = excluded.means, highs = excluded.highs
      where cardinality(excluded.places) > cardinality(present.places)
    returning series, at, pg_column_size(places) + pg_column_size(counts) + pg_column_size(lows)
      + pg_column_size(means) + pg_column_size(highs) as bytes
  ), written as (
    select e.project_id, a.at, a.bytes from added a join edge_series s on s.id = a.series join edge e on e.id = s.edge_id
  )
  ${countBytes(kind)}`

/** Makes the points of the hours and days that have ended. A repeated step has no further effect. */
export async function rollUpEdgeValues(db: Kysely<Database>): Promise<void> {
  await rollUp(db, {
    kind: 'minute',
    span: sql`interval '1 hour'`,
    unit: 'hour',
    first: sql`(select min(at) from edge_sample)`,
    ready: sql`now() - ${lateness}`,
    kept: sql`interval '8 days'`,
    atOnce: edgesAtOnce,
    ids: sql`select distinct edge_id::text as id from edge_series order by 1`,
    pointsOf: (at, ids) => sql`
      select s.series[(o.place - 1) % cardinality(s.series) + 1] as series,
        (extract(epoch from s.at - ${at}) / 60)::smallint as place,
        count(*)::smallint as n, min(o.value) as low, avg(o.value) as mean, max(o.value) as high
      from edge_sample s cross join lateral unnest(s.readings) with ordinality as o (value, place)
      where s.part = ${partOf(rings.sample, at)} and s.edge_id = any(${ids}::uuid[])
        and s.at >= ${at} and s.at < ${at} + interval '1 hour' and o.value is not null
      group by 1, 2`,
  })
  await rollUp(db, {
    kind: 'quarter',
    span: sql`interval '1 day'`,
    unit: 'day',
    first: sql`(select min(at) from edge_minute)`,
    ready: sql`(select least(until, now()) from edge_rollup where kind = 'minute')`,
    kept: sql`interval '98 days'`,
    atOnce: seriesAtOnce,
    ids: sql`select id::text from edge_series order by edge_series.id`,
    pointsOf: (at, ids) => sql`
      select m.series, (floor((extract(epoch from m.at - ${at}) / 60 + o.place) / 15))::smallint as place,
        sum(o.n)::smallint as n, min(o.low) as low, sum(o.n * o.mean) / sum(o.n) as mean, max(o.high) as high
      from edge_minute m
        cross join lateral unnest(m.places, m.counts, m.lows, m.means, m.highs) as o (place, n, low, mean, high)
      where m.part = ${partOf(rings.minute, at)} and m.series = any(${ids}::int[])
        and m.at >= ${at} and m.at < ${at} + interval '1 day'
      group by 1, 2`,
  })
}

interface Step {
  kind: 'minute' | 'quarter'
  /** One row covers this time. */
  span: RawBuilder<unknown>
  unit: 'hour' | 'day'
  /** Start of the first step of an installation. */
  first: RawBuilder<unknown>
  /** All values before this time are complete. */
  ready: RawBuilder<unknown>
  /** Maximum age of sources. */
  kept: RawBuilder<unknown>
  ids: RawBuilder<{ id: string }>
  atOnce: number
  pointsOf: (at: RawBuilder<unknown>, ids: readonly string[]) => RawBuilder<unknown>
}

async function rollUp(
  db: Kysely<Database>,
  { kind, span, unit, first, ready, kept, ids, atOnce, pointsOf }: Step,
): Promise<void> {
  // A clock that was ahead has rolled up hours that were not complete.
  await sql`
    update edge_rollup set until = date_trunc(${sql.lit(unit)}, ${ready}, 'UTC')
    where kind = ${kind} and until > ${ready}`.execute(db)
  for (;;) {
    const { rows } = await sql<{ at: string }>`
      select begins::text as at from (
        -- Without samples it is null, and nothing is due.
        select date_trunc(${sql.lit(unit)}, greatest(ended, now() - ${kept}), 'UTC') as begins
        from (
          select coalesce((select until from edge_rollup where kind = ${kind}), ${first}) as ended
        ) e
        where ended is not null
      ) r where begins + ${span} <= ${ready}`.execute(db)
    const [due] = rows
    if (due === undefined) return
    const at = sql`${due.at}::timestamptz`
    const { rows: all } = await ids.execute(db)
    for (let from = 0; from < all.length; from += atOnce) {
      const some = all.slice(from, from + atOnce).map(({ id }) => id)
      await insertPoints(kind, at, pointsOf(at, some)).execute(db)
    }
    await sql`
      insert into edge_rollup (kind, until) values (${kind}, ${at} + ${span})
      on conflict (kind) do update set until = excluded.until`.execute(db)
  }
}
