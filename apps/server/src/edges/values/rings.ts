import type { RetentionPart } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'

export type RingKind = 'sample' | 'minute' | 'quarter'

/** A table whose partitions are reused in rotation. */
export interface Ring {
  table: 'edge_sample' | 'edge_minute' | 'edge_quarter'
  /** Days of one partition. */
  days: number
  /** Number of partitions: enough for the longest retention, the current period and an empty one. */
  parts: number
  setting: Extract<RetentionPart, `edge${string}`>
  /** Days that the quota of a project deletes in one step. */
  quotaDays: number
}

/** The numbers of migration 0039. */
export const rings: Record<RingKind, Ring> = {
  sample: { table: 'edge_sample', days: 1, parts: 9, setting: 'edgeSamples', quotaDays: 1 / 24 },
  minute: { table: 'edge_minute', days: 7, parts: 15, setting: 'edgeMinutes', quotaDays: 1 },
  quarter: { table: 'edge_quarter', days: 90, parts: 14, setting: 'edgeQuarters', quotaDays: 30 },
}

export const secondsOfDay = 86_400

/** Returns the number of the period that contains an instant. */
export const periodOf = (at: RawBuilder<unknown>, days: number) =>
  sql`floor(extract(epoch from ${at}) / ${days * secondsOfDay}::float8)::bigint`

/** Returns the partition of an instant. */
export const partOf = ({ days, parts }: Ring, at: RawBuilder<unknown>) =>
  sql`(${periodOf(at, days)} % ${parts}::int)::smallint`

/** Returns the start of the quota period that contains an instant. */
const quotaPeriod = ({ quotaDays }: Ring, at: RawBuilder<unknown>) => sql`
  to_timestamp(${periodOf(at, quotaDays)} * ${quotaDays * secondsOfDay}::float8)`

/** Bytes of a row besides its columns: its header, its item pointer in the page and its index entry. */
const rowBytes = 70

/** Counts the bytes of written rows, from `written` with `project_id`, `at` and `bytes` of the columns. */
export const countBytes = (kind: RingKind) => sql`
  insert into edge_values_used as u (project_id, kind, period, bytes)
  select project_id, ${kind}, ${quotaPeriod(rings[kind], sql`at`)}, sum(bytes + ${rowBytes}::int)
  from written group by 1, 2, 3 order by 1, 2, 3
  on conflict (project_id, kind, period) do update set bytes = u.bytes + excluded.bytes`
