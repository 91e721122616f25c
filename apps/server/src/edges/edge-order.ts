import type { EdgeSort, FleetState } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { orderOf } from '#platform/database/name-order.ts'
import { idAfter, type PageQuery, unknownPage } from '#platform/database/page.ts'
import { fleetState, reported, reportedLoad } from './fleet.ts'

export interface EdgeListQuery extends PageQuery {
  state?: FleetState | 'silent' | undefined
  tags?: string | undefined
  anyTags?: string | undefined
  place?: string | undefined
  version?: string | undefined
  group?: string | undefined
  sort?: EdgeSort | undefined
}

interface EdgeOrder {
  /** The value by which an edge `e` with its presence `p` is compared, before its label. Never null. */
  value: RawBuilder<unknown>
  /** The key of its label, which decides between equal values. */
  label: RawBuilder<string>
  /** Over the columns `value`, `lower_label` and `id`. */
  orderBy: RawBuilder<unknown>
  /** Condition for the edges after those of the previous page, over the same columns. */
  isAfter: RawBuilder<boolean>
}

type Field = 'label' | 'place' | 'state' | 'load' | 'memory' | 'disk' | 'version' | 'seen'

/** Worst state first. */
const states = ['offline', 'trouble', 'online', 'waiting', 'revoked'] satisfies FleetState[]

const current = (value: RawBuilder<unknown>) =>
  sql`case when p.is_online and e.token_hash is not null then ${value} end`
const used = (what: 'memory' | 'disk') =>
  sql<number | null>`1 - ${reported(`${what}.free`)} / ${reported(`${what}.total`, 1)}`

/** Used shares in the last report of an edge with its presence `p`. */
export const shares = {
  load: reportedLoad,
  memory: used('memory'),
  disk: used('disk'),
}

const fields: Record<Field, { type: 'text' | 'number'; value: RawBuilder<unknown> }> = {
  label: { type: 'text', value: orderOf(sql`e.label`) },
  place: { type: 'text', value: orderOf(sql`e.place`) },
  state: { type: 'number', value: sql`array_position(${states}::text[], ${fleetState})` },
  load: { type: 'number', value: current(shares.load) },
  memory: { type: 'number', value: current(shares.memory) },
  disk: { type: 'number', value: current(shares.disk) },
  version: { type: 'text', value: orderOf(sql`p.version`) },
  seen: { type: 'number', value: sql`extract(epoch from p.seen_at)` },
}

/** Returns the order of a list of edges, and the position at which a page begins. */
export function edgeOrder({ sort = 'label', after }: EdgeListQuery): EdgeOrder {
  const isReverse = sort.startsWith('-')
  const { type, value: raw } = fields[sort.replace('-', '') as Field]
  const value =
    type === 'text'
      ? sql`coalesce(${raw}, '')`
      : sql`coalesce((${raw})::float8, ${isReverse ? '-Infinity' : 'Infinity'}::float8)`
  return {
    value,
    label: orderOf(sql`e.label`),
    orderBy: sql`value ${isReverse ? sql`desc` : sql`asc`}, lower_label, id`,
    isAfter: after === undefined ? sql<boolean>`true` : beyond(after, { type, isReverse }),
  }
}

/** Returns the key of a page: id, value and label of the last edge of the previous page. Labels have no line break. */
export const keyOfEdge = ({
  id,
  value,
  lowerLabel,
}: {
  id: string
  value: string | number
  lowerLabel: string
}) => `${id}${value}\n${lowerLabel}`

function beyond(
  after: string,
  { type, isReverse }: { type: 'text' | 'number'; isReverse: boolean },
): RawBuilder<boolean> {
  const id = idAfter({ after: after.slice(0, 36) })
  const [last = '', label = ''] = after.slice(36).split('\n')
  if (type === 'number' && (last === '' || Number.isNaN(Number(last)))) throw unknownPage()
  // As a number, because PostgreSQL rejects texts that JavaScript accepts, such as 1e999.
  const given = type === 'text' ? sql`${last}::text` : sql`${Number(last)}::float8`
  return sql<boolean>`(
    value ${isReverse ? sql`<` : sql`>`} ${given}
    or value = ${given} and (lower_label, id) > (${label}, ${id}::uuid)
  )`
}
