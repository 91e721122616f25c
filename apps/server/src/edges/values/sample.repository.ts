import { limits } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { countBytes, partOf, rings } from './rings.ts'

/** The samples of one edge in one minute. */
export interface Minute {
  edgeId: string
  /** Start of the minute in epoch milliseconds. */
  at: number
  /** Values by series for each tick. Ticks are hundredths of a second from the start. */
  ticks: Map<number, ReadonlyMap<number, number>>
}

export interface KnownSeries {
  id: number
  unit: string
}

/** A series by its edge and key. */
export interface NewSeries {
  edgeId: string
  key: string
  unit: string
}

/** Returns a PostgreSQL array as text, because the driver cannot send nested arrays of different lengths. */
const arrayText = (values: readonly (number | null)[]) =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

function columnsOf({ ticks }: Minute) {
  const times = [...ticks.keys()].toSorted((one, other) => one - other)
  const series = [...new Set([...ticks.values()].flatMap((values) => [...values.keys()]))]
  const readings = times.flatMap((tick) => series.map((id) => ticks.get(tick)?.get(id) ?? null))
  return { ticks: arrayText(times), series: arrayText(series), readings: arrayText(readings) }
}

/** Returns the second of a tick. A minute has at most one sample in each of its seconds. */
export const secondOf = (tick: number) => Math.floor(tick / 100)

const keyOf = (edgeId: string, at: number) => `${edgeId} ${at}`

export function createSampleRepository(db: Db) {
  const given = (minutes: readonly Minute[]) => {
    const columns = minutes.map(columnsOf)
    return sql`
      select g.id as edge_id, e.project_id, to_timestamp(g.at / 1000) as at, g.ticks::smallint[] as ticks,
        g.series::int[] as series, g.readings::float8[] as readings
      from unnest(
        ${minutes.map(({ edgeId }) => edgeId)}::uuid[], ${minutes.map(({ at }) => at)}::float8[],
        ${columns.map(({ ticks }) => ticks)}::text[], ${columns.map(({ series }) => series)}::text[],
        ${columns.map(({ readings }) => readings)}::text[]
      ) as g (id, at, ticks, series, readings) join edge e on e.id = g.id`
  }

  return {
    /**
     * Finds the series of edges by key, and adds missing ones. An edge that has reached its limit gets no further
     * series.
     */
    async seriesOf(requested: readonly NewSeries[]): Promise<(NewSeries & KnownSeries)[]> {
      const { rows } = await sql<NewSeries & KnownSeries>`
        with wanted as (
          select distinct on (w.edge_id, w.key) w.edge_id, w.key, w.unit, s.id, s.unit as known
          from unnest(
            ${requested.map(({ edgeId }) => edgeId)}::uuid[], ${requested.map(({ key }) => key)}::text[],
            ${requested.map(({ unit }) => unit)}::text[]
          ) as w (edge_id, key, unit) left join edge_series s using (edge_id, key)
        ), counted as (
          select edge_id, key, unit, row_number() over (partition by edge_id order by key)
            + (select count(*) from edge_series s where s.edge_id = w.edge_id) as number
          from wanted w where id is null
        ), written as (
          insert into edge_series as s (edge_id, key, unit)
          select edge_id, key, unit from counted where number <= ${limits.edgeSeriesMax}::int
          union all select edge_id, key, unit from wanted where known <> unit
          order by 1, 2
          on conflict (edge_id, key) do update set unit = excluded.unit
          returning id, edge_id, key, unit
        )
        select id, edge_id as "edgeId", key, unit from written
        union all select id, edge_id, key, unit from wanted where known = unit`.execute(db)
      return rows
    },

    /** Writes each minute once. A minute that already exists gets the further samples. */
    async write(minutes: readonly Minute[]): Promise<void> {
      const { rows } = await sql<{ edgeId: string; at: Date }>`
        with given as (${given(minutes)}), added as (
          insert into edge_sample (part, edge_id, at, ticks, series, readings)
          select ${partOf(rings.sample, sql`at`)}, edge_id, at, ticks, series, readings from given order by edge_id, at
          on conflict do nothing
          returning edge_id, at
        ), written as (
          select project_id, at, pg_column_size(ticks) + pg_column_size(series) + pg_column_size(readings) as bytes
          from given join added using (edge_id, at)
        ), counted as (${countBytes('sample')})
        select edge_id as "edgeId", at from added`.execute(db)
      const added = new Set(rows.map(({ edgeId, at }) => keyOf(edgeId, at.getTime())))
      const known = minutes.filter(({ edgeId, at }) => !added.has(keyOf(edgeId, at)))
      if (known.length > 0) await merge(known)
    },
  }

  /** Adds samples to existing minutes: repeated samples, and the rest of an interrupted minute. */
  async function merge(minutes: readonly Minute[]): Promise<void> {
    const { rows } = await sql<{
      edgeId: string
      at: Date
      ticks: number[]
      series: number[]
      readings: (number | null)[]
    }>`
      select edge_id as "edgeId", at, ticks, series, readings from edge_sample
      where (edge_id, at) in (select id, to_timestamp(at / 1000) from unnest(
        ${minutes.map(({ edgeId }) => edgeId)}::uuid[], ${minutes.map(({ at }) => at)}::float8[]) as g (id, at))
      order by edge_id, at for update`.execute(db)
    const before = new Map(rows.map((row) => [keyOf(row.edgeId, row.at.getTime()), row]))
    const merged = minutes.flatMap(({ edgeId, at, ticks }): Minute[] => {
      const row = before.get(keyOf(edgeId, at))
      if (row === undefined) return []
      const seconds = new Map(row.ticks.map((tick) => [secondOf(tick), tick]))
      const all = new Map([...ticks].filter(([tick]) => (seconds.get(secondOf(tick)) ?? tick) === tick))
      for (const [place, tick] of row.ticks.entries()) {
        const known = row.series.flatMap((id, column): [number, number][] => {
          const reading = row.readings[place * row.series.length + column]
          return reading == null ? [] : [[id, reading]]
        })
        all.set(tick, new Map([...(ticks.get(tick) ?? []), ...known]))
      }
      return [{ edgeId, at, ticks: all }]
    })
    if (merged.length === 0) return
    await sql`
      with given as (${given(merged)})
      update edge_sample s set ticks = g.ticks, series = g.series, readings = g.readings
      from given g where s.edge_id = g.edge_id and s.at = g.at`.execute(db)
  }
}
