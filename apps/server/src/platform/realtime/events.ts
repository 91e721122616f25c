import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseConnection } from '#platform/database/database.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '../log.ts'
import { createEventConnection } from './event-connection.ts'
import { createEventTail, type ReceivedEvent } from './event-tail.ts'

/** An event for all nodes. */
export interface NewEvent {
  topic: string
  name: string
  data: Record<string, unknown>
}

/**
 * Adds events to the current transaction with one statement. Nodes receive them after the commit, and never after a
 * rollback. Call it after the write that the events are about, so that events about one row keep the order of its
 * changes.
 */
export type Emit = (...events: readonly NewEvent[]) => Promise<void>

export type EventListener = (event: ReceivedEvent) => void

export interface EventsParts {
  db: Kysely<Database>
  connection: DatabaseConnection
  log: Log
  /** Milliseconds between two reads without a wake-up. */
  pollInterval?: number
}

/** Milliseconds between two wake-ups of a node: a NOTIFY per transaction would cost more than the transaction. */
const wakeInterval = 50

/** Maximum delay in milliseconds of an event whose node died before its wake-up. */
const usualPollInterval = 600

/**
 * Seconds for which events are kept, and the margin within which a disconnected node can catch up. Services that
 * report the progress of thousands of tasks add two gigabytes an hour.
 */
const retention = 900
const retentionMargin = 300

const sweepBatch = 2000

/** Publishes events to all nodes of an installation through an event table and NOTIFY. */
export function createEvents({ db, connection, log, pollInterval = usualPollInterval }: EventsParts) {
  const listeners = new Set<EventListener>()
  const gapListeners = new Set<() => void>()
  const line = createEventConnection({ connection, log, onWake: readSoon })
  const readNew = createEventTail({ query: line.query, retention: retention - retentionMargin })
  /** Identifies this start of this node in its positions. */
  const node = randomBytes(6).toString('base64url')
  /** Number of events and gaps that the listeners have received. */
  let handedOn = 0
  let reading: Promise<void> | undefined
  let isNewer = false
  let pollTimer: NodeJS.Timeout | undefined
  let wakeTimer: NodeJS.Timeout | undefined
  let isWakeDue = false
  /** Milliseconds between the database's clock and this process's monotonic clock, as of the last read. */
  let clockOffset = Date.now() - performance.now()
  let lastReadAt = performance.now()

  /** Runs one read at a time; requests during a read trigger one more. */
  function readAll(): Promise<void> {
    isNewer = true
    // The call that wakes it is done, and the listeners work for others.
    reading ??= asWork('events', readWhileNewer)
    return reading
  }

  async function readWhileNewer(): Promise<void> {
    try {
      while (isNewer) {
        isNewer = false
        const { events, isGap, readAt } = await readNew()
        lastReadAt = performance.now()
        clockOffset = readAt * 1000 - lastReadAt
        if (isGap) {
          log.warn('events may have been missed, so clients refetch')
          handedOn += 1
          for (const listener of gapListeners) call(listener, undefined)
        }
        for (const event of events) {
          handedOn += 1
          for (const listener of listeners) call(listener, event)
        }
      }
    } finally {
      reading = undefined
    }
  }

  /** A failed read loses nothing: the connection is reopened and continues from the same position. */
  function readSoon(): void {
    readAll().catch(() => {})
  }

  function call<Argument>(listener: (argument: Argument) => void, argument: Argument): void {
    try {
      listener(argument)
    } catch (err) {
      log.error({ err }, 'a listener for events failed')
    }
  }

  function wake(): void {
    if (wakeTimer !== undefined) {
      isWakeDue = true
      return
    }
    // The connection runs one statement after the other, and this node's sockets need not wait for the wake-up.
    readSoon()
    void line.notify()
    wakeTimer = setTimeout(() => {
      wakeTimer = undefined
      if (!isWakeDue) return
      isWakeDue = false
      wake()
    }, wakeInterval)
  }

  return {
    /** Runs a transaction and wakes all nodes after its commit. */
    async transaction<Result>(
      work: (trx: Transaction<Database>, emit: Emit) => Promise<Result>,
    ): Promise<Result> {
      let isEmitted = false
      const result = await db.transaction().execute((trx) =>
        work(trx, async (...emitted) => {
          if (emitted.length === 0) return
          isEmitted = true
          await sql`
            insert into event (topic, name, data)
            select topic, name, data
            from unnest(${emitted.map(({ topic }) => topic)}::text[], ${emitted.map(({ name }) => name)}::text[],
              ${emitted.map(({ data }) => JSON.stringify(data))}::jsonb[]) with ordinality given (topic, name, data, place)
            order by place`.execute(trx)
        }),
      )
      if (isEmitted) wake()
      return result
    },

    /** Receives all events of all nodes from the start, each once. Returns a function to stop. */
    listen(listener: EventListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /**
     * Returns the place of this node in the events, `{node} {number}`. A read that begins now sees all that the events
     * up to this place are about.
     */
    position: (): string => `${node} ${handedOn}`,

    /** Returns the database's time in milliseconds, independent of this machine's clock. */
    now: (): number => clockOffset + performance.now(),

    /**
     * Milliseconds since the last read. A read returns all committed events, so this is the most by which an event is
     * late on this node.
     */
    lag: (): number => performance.now() - lastReadAt,

    /** Returns why the connection for events failed last; undefined if it never did. */
    failure: line.failure,

    /**
     * Calls the listener when events may have been missed, for example after a long disconnection. Returns a function
     * to stop.
     */
    onGap(listener: () => void): () => void {
      gapListeners.add(listener)
      return () => void gapListeners.delete(listener)
    },

    /** Starts receiving; once it resolves, no event is missed. Retries while the database is slow. */
    async start(): Promise<void> {
      await insist(line.connect)
      await insist(readAll)
      pollTimer = setInterval(readSoon, pollInterval)
    },

    async stop(): Promise<void> {
      clearInterval(pollTimer)
      clearTimeout(wakeTimer)
      if (isWakeDue) await line.notify()
      line.stop()
    },
  }
}
export type Events = ReturnType<typeof createEvents>

/** Deletes events past the retention in small batches. */
export async function sweepEvents(db: Kysely<Database>): Promise<void> {
  let deleted: bigint
  do {
    const result = await sql`
      delete from event where id in (
        select id from event where created_at < now() - make_interval(secs => ${retention})
        order by created_at limit ${sweepBatch}
      )`.execute(db)
    deleted = result.numAffectedRows ?? 0n
  } while (deleted >= sweepBatch)
}

const startAttempts = 20
const startPause = 500

/** Retries a failed step up to 20 times. While the database is busy, each attempt takes a second or two. */
async function insist(step: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step()
    } catch (error) {
      if (tries === startAttempts) throw error
      await delay(startPause)
    }
  }
}
