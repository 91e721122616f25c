import { isReadOnly, refuseReadOnly } from '../database/read-write.ts'
import type { EventConnection } from './event-connection.ts'

/** An event as each node receives it. */
export interface ReceivedEvent {
  /** Grows with time, with gaps for rolled-back transactions. */
  id: number
  topic: string
  name: string
  data: Record<string, unknown>
}

export interface NewEvents {
  events: ReceivedEvent[]
  /** Events may be missing, because they were deleted before this read: clients have to refetch. */
  isGap: boolean
  /** Unix seconds by the database's clock. */
  readAt: number
}

/**
 * The position: all transactions below `next`, except those in `running`. It is the complement of a PostgreSQL
 * snapshot, so that each committed event is in exactly one read.
 */
interface Position {
  next: string
  running: string[]
  /** The highest id of an event that was read. */
  lastId: number
  /** Seconds by the database's clock. */
  readAt: number
}

interface PositionRow {
  isReadOnly: boolean
  lastId: number
  snapshot: string
  readAt: number
  isBehind: boolean
}

/** Left-joined to the position: all columns are null if there are no new events. */
type EventRow = PositionRow & (ReceivedEvent | { id: null })

/** On a former primary events end while its connection lives on, so each read shows whether writes work. */
const position = `${isReadOnly}, pg_current_snapshot()::text as snapshot, extract(epoch from now())::float8 as "readAt",
  (select last_value from event_id_seq) as "lastId"`

/*
 * Three index scans: transactions that began after the position, transactions that were running at the position, and
 * events of other transactions with a higher event id. The third is needed because PostgreSQL, after a crash or a
 * fail-over, reuses transaction ids that only aborted transactions had. Ids of events are not reused, because the
 * sequence is ahead in the log of each committed event. Rows of a later transaction are returned even while an
 * earlier one is running, so that no long transaction (a big deletion, a forgotten psql) delays events. Conflicting
 * transactions commit one after the other, so they arrive in different reads or are ordered by id.
 */
const readNew = `
  select ${position}, pg_snapshot_xmax(pg_current_snapshot()) < $1::xid8
      and (select last_value from event_id_seq) < $4 as "isBehind",
    e.id, e.topic, e.name, e.data
  from (values (1)) as always left join (
    (select id, topic, name, data from event where xid >= $1::xid8 order by xid, id limit $3)
    union all
    (select late.* from unnest($2::text[]::xid8[]) as running cross join lateral
      (select id, topic, name, data from event where xid = running order by id limit $3) as late)
    union all
    (select id, topic, name, data from event
      where id > $4 and xid < $1::xid8 and xid <> all ($2::text[]::xid8[]) order by id limit $3)
  ) as e on true
  order by e.id`

export interface EventTailParts {
  query: EventConnection['query']
  /** Seconds after which rows may be deleted. */
  retention: number
  /** A larger number of new events is reported as a gap. */
  newMax?: number
}

/** Reads the events of other transactions from the event table, each once. */
export function createEventTail({ query, retention, newMax = 10_000 }: EventTailParts) {
  let last: Position | undefined

  return async (): Promise<NewEvents> => {
    if (last === undefined) {
      const [row] = await query<PositionRow>({ text: `select ${position}` }, refuse)
      last = positionOf(row)
      return { events: [], isGap: false, readAt: last.readAt }
    }
    const values = [last.next, last.running, newMax + 1, last.lastId]
    const rows = await query<EventRow>({ name: 'new-events', text: readNew, values }, refuse)
    const newest = Math.max(last.lastId, rows.findLast(isEvent)?.id ?? 0)
    const present = positionOf(rows[0], rows[0]?.isBehind === true ? undefined : newest)
    const isGap =
      rows.length > newMax || present.readAt - last.readAt > retention || rows[0]?.isBehind === true
    last = present
    return { events: isGap ? [] : rows.filter(isEvent).map(eventOf), isGap, readAt: present.readAt }
  }
}

function isEvent(row: EventRow): row is PositionRow & ReceivedEvent {
  return row.id !== null
}

function eventOf({ id, topic, name, data }: ReceivedEvent): ReceivedEvent {
  return { id, topic, name, data }
}

const refuse = ([row]: PositionRow[]) => refuseReadOnly(row)

/** A snapshot's text is `xmin:xmax:running,running`. */
function positionOf(row: PositionRow | undefined, lastId = row?.lastId ?? 0): Position {
  const [, next, running] = row?.snapshot.split(':') ?? []
  if (row === undefined || next === undefined) throw new Error('The database returned no snapshot')
  return { next, running: running ? running.split(',') : [], lastId, readAt: row.readAt }
}
