import type { EventConnection } from './event-connection.ts'

/** An event as each node hears it. */
export interface HeardEvent {
  /** Grows with time, and leaves gaps where a transaction was rolled back. */
  id: number
  topic: string
  name: string
  data: Record<string, unknown>
}

export interface NewEvents {
  events: HeardEvent[]
  /** There may have been more, which can't be told any more: whoever shows data has to read it again. */
  isGap: boolean
}

/**
 * What has been read: all transactions below `next`, except for those that were still `running`. The complement of a
 * PostgreSQL snapshot, so that each committed event is in exactly one read.
 */
interface Position {
  next: string
  running: string[]
  /** Seconds by the database's clock. */
  readAt: number
}

interface PositionRow {
  snapshot: string
  readAt: number
  isBehind: boolean
}

/** Left joined to the position: all columns are null when there is nothing new. */
type EventRow = PositionRow & (HeardEvent | { id: null })

const position = `pg_current_snapshot()::text as snapshot, extract(epoch from now())::float8 as "readAt"`

/*
 * Two index scans: what began after the position, and what was running then. Rows that a later transaction wrote are
 * given even while an earlier one still runs, so nothing that stays open for long (a big deletion, a forgotten psql)
 * holds events back. Conflicting transactions commit one after the other, so they arrive in different reads or are put
 * into their order by id.
 */
const readNew = `
  select ${position}, pg_snapshot_xmax(pg_current_snapshot()) < $1::xid8 as "isBehind",
    e.id, e.topic, e.name, e.data
  from (values (1)) as always left join (
    (select id, topic, name, data from event where xid >= $1::xid8 order by xid, id limit $3)
    union all
    (select late.* from unnest($2::text[]::xid8[]) as running cross join lateral
      (select id, topic, name, data from event where xid = running order by id limit $3) as late)
  ) as e on true
  order by e.id`

export interface EventTailParts {
  query: EventConnection['query']
  /** Seconds after which rows may be gone. */
  retention: number
  /** More than this at once is not worth telling one by one. */
  newMax?: number
}

/** Reads what other transactions added to the table of events, each event once. */
export function createEventTail({ query, retention, newMax = 10_000 }: EventTailParts) {
  let last: Position | undefined

  return async (): Promise<NewEvents> => {
    if (last === undefined) {
      const [row] = await query<PositionRow>({ text: `select ${position}` })
      last = positionOf(row)
      return { events: [], isGap: false }
    }
    const rows = await query<EventRow>({
      name: 'new-events',
      text: readNew,
      values: [last.next, last.running, newMax + 1],
    })
    const present = positionOf(rows[0])
    const isGap =
      rows.length > newMax || present.readAt - last.readAt > retention || rows[0]?.isBehind === true
    last = present
    return { events: isGap ? [] : rows.filter(isEvent).map(heard), isGap }
  }
}

function isEvent(row: EventRow): row is PositionRow & HeardEvent {
  return row.id !== null
}

function heard({ id, topic, name, data }: HeardEvent): HeardEvent {
  return { id, topic, name, data }
}

/** A snapshot's text is `xmin:xmax:running,running`. */
function positionOf(row: PositionRow | undefined): Position {
  const [, next, running] = row?.snapshot.split(':') ?? []
  if (row === undefined || next === undefined) throw new Error('The database answered no snapshot')
  return { next, running: running ? running.split(',') : [], readAt: row.readAt }
}
