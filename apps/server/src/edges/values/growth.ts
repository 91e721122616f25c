import { retentionDays } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { isPast } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { keptFor } from '#platform/database/retention.ts'
import { type Course, daysUntilFull, type Kept, keptUnder, largestOf, totalAfter } from './forecast.ts'
import { type RingKind, rings, secondsOfDay } from './rings.ts'

/** The recorded values of a project. Sizes in bytes, times in days. */
export interface ValuesGrowth {
  projectId: string
  label: string
  used: number
  quota: number
  /** Days until the quota deletes values; 0 if it does now, and null if it never will. */
  fullIn: number | null
  /** The largest size without the quota. */
  needed: number
  /** In the order in which the quota deletes them. */
  kinds: Kept[]
}

/** In the order in which the quota deletes them. */
const kindsInOrder = Object.keys(rings) as RingKind[]

/** A shorter history does not show the growth. */
const leastHistory = sql`interval '6 hours'`

/** Quarters have as many columns as minutes, and each replaces 15 of them. */
const minutesOfQuarter = 15

/** Unlike `1 day`, it has the same length in every time zone. */
const day = sql`interval '24 hours'`
/** Returns the days of an interval, and 0 for a negative one or null. */
const daysOf = (interval: RawBuilder<unknown>) =>
  sql`greatest(extract(epoch from ${interval})::float8 / ${secondsOfDay}::float8, 0)`
const isOf = (kind: RingKind) => sql`kind = ${kind} and ${isPast(sql`period`)}`

type Row = {
  projectId: string
  label: string
  used: number
  samplesPerDay: number
  minutesPerDay: number
} & Record<`${RingKind}${'Bytes' | 'Age'}`, number> &
  Record<`${RingKind}Days`, number | null>

/**
 * Returns the size and growth of the recorded values of each project, or of one, in one statement. The growth is that of
 * samples in the last day, and of minutes on the last complete day; a younger project has that of its history, and none
 * in its first six hours. Periods of the future count for the size alone.
 */
export async function readValuesGrowth(db: Db, quota: number, projectId?: string): Promise<ValuesGrowth[]> {
  const ofProject = (id: RawBuilder<unknown>) =>
    projectId === undefined ? sql`true` : sql`${id} = ${projectId}::uuid`
  const { rows } = await sql<Row>`
    with clock as materialized (
      select now() as present, until, date_trunc('day', until, 'UTC') - ${day} as last_day
      from (select least(now(), (select until from edge_rollup where kind = 'minute')) as until) r
    ), counted as materialized (
      select project_id, sum(bytes) as used,
        ${sql.join(
          kindsInOrder.map(
            (kind) => sql`sum(bytes) filter (where ${isOf(kind)}) as ${sql.ref(`${kind}_bytes`)},
              min(period) filter (where ${isOf(kind)}) as ${sql.ref(`${kind}_from`)}`,
          ),
        )},
        sum(bytes) filter (where ${isOf('sample')} and period > present - ${day}) as new_bytes,
        min(period) filter (where ${isOf('sample')} and period > present - ${day}) as new_from,
        sum(bytes) filter (where kind = 'minute' and period = last_day) as day_bytes
      from edge_values_used cross join clock where ${ofProject(sql`project_id`)} group by project_id
    ), begun as (
      select counted.*, least(sample_from, case when minute_from is not null then greatest(minute_from, (
        -- A period of minutes is a day, and the quota may have deleted the first samples.
        select min(enrolled_at) from edge e where e.project_id = counted.project_id
      )) end) as begins
      from counted
    ), grown as (
      select begun.*, new_bytes / nullif(${daysOf(sql`present - new_from`)}, 0) as samples,
        case when minute_from < last_day then day_bytes
          when begins < until then minute_bytes / ${daysOf(sql`until - begins`)} end as minutes
      from begun cross join clock where begins <= present - ${leastHistory}
    )
    select p.id as "projectId", p.label, coalesce(c.used, 0)::float8 as used,
      coalesce(g.samples, 0)::float8 as "samplesPerDay", coalesce(g.minutes, 0)::float8 as "minutesPerDay",
      ${sql.join(
        kindsInOrder.map(
          (kind) => sql`coalesce(${sql.ref(`c.${kind}_bytes`)}, 0)::float8 as ${sql.ref(`${kind}Bytes`)},
            ${daysOf(sql`present - ${sql.ref(`c.${kind}_from`)}`)} as ${sql.ref(`${kind}Age`)},
            extract(day from ${keptFor(rings[kind].setting)})::int as ${sql.ref(`${kind}Days`)}`,
        ),
      )}
    from clock cross join project p left join counted c on c.project_id = p.id left join grown g on g.project_id = p.id
    where ${ofProject(sql`p.id`)}`.execute(db)
  return rows.map((row) => growthOf(row, quota))
}

function growthOf(row: Row, quota: number): ValuesGrowth {
  const { projectId, label, used, samplesPerDay, minutesPerDay } = row
  const perDay = {
    sample: samplesPerDay,
    minute: minutesPerDay,
    quarter: minutesPerDay / minutesOfQuarter,
  }
  const courses = kindsInOrder.map(
    (kind): Course => ({
      kind,
      bytes: row[`${kind}Bytes`],
      perDay: perDay[kind],
      age: row[`${kind}Age`],
      days: row[`${kind}Days`] ?? retentionDays[rings[kind].setting].default,
    }),
  )
  const ofFuture = used - totalAfter(courses, 0)
  return {
    projectId,
    label,
    used,
    quota,
    fullIn: daysUntilFull(courses, quota - ofFuture),
    needed: largestOf(courses),
    kinds: keptUnder(courses, quota),
  }
}

/** Returns whether the quota shortens the retention of a project within some days. */
export const isShortened = ({ fullIn, kinds }: ValuesGrowth, days: number): boolean =>
  fullIn !== null && fullIn <= days && kinds.some((kind) => kind.kept < kind.days)

/** Returns the bytes that a project adds in some days under its quota. */
export const addedIn = ({ kinds: courses, used, quota }: ValuesGrowth, days: number): number =>
  Math.min(totalAfter(courses, days) - totalAfter(courses, 0), Math.max(0, quota - used))
