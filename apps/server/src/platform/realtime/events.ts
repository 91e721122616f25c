import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseConnection } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '../log.ts'
import { createEventConnection } from './event-connection.ts'
import { createEventTail, type HeardEvent } from './event-tail.ts'

/** Something that happened, for every node to hear. */
export interface NewEvent {
  topic: string
  name: string
  data: Record<string, unknown>
}

/**
 * Adds an event to the transaction at hand; it is heard once that commits, and never if it does not. To be called after
 * the write that it tells of, so that events about one row are heard in the order of its changes.
 */
export type Emit = (event: NewEvent) => Promise<void>

export type EventListener = (event: HeardEvent) => void

export interface EventsParts {
  db: Kysely<Database>
  connection: DatabaseConnection
  log: Log
}

/** At most one wake-up per node in this time: a NOTIFY in each transaction would cost more than the transaction. */
const wakeInterval = 50

/** How late an event is heard at most when the node that wrote it died before it could wake the others. */
const pollInterval = 600

/**
 * Seconds for which events are kept, and a margin within which a node that was away reads on where it stopped. Services
 * that report the progress of thousands of tasks add two gigabytes an hour.
 */
const retention = 900
const retentionMargin = 300

const sweepBatch = 2000

/** Tells all nodes of one installation what happened, through a table and a wake-up. */
export function createEvents({ db, connection, log }: EventsParts) {
  const listeners = new Set<EventListener>()
  const gapListeners = new Set<() => void>()
  const line = createEventConnection({ connection, log, onWake: readSoon })
  const readNew = createEventTail({ query: line.query, retention: retention - retentionMargin })
  let reading: Promise<void> | undefined
  let isNewer = false
  let pollTimer: NodeJS.Timeout | undefined
  let wakeTimer: NodeJS.Timeout | undefined
  let isWakeDue = false

  /** One read at a time; whoever asks meanwhile causes one more. */
  function readAll(): Promise<void> {
    isNewer = true
    reading ??= readWhileNewer()
    return reading
  }

  async function readWhileNewer(): Promise<void> {
    try {
      while (isNewer) {
        isNewer = false
        const { events, isGap } = await readNew()
        if (isGap) {
          log.warn('too much has happened since events were last heard')
          for (const listener of gapListeners) call(listener, undefined)
        }
        for (const event of events) {
          for (const listener of listeners) call(listener, event)
        }
      }
    } finally {
      reading = undefined
    }
  }

  /** A read that fails is made up for: the connection is made again and reads on from the same position. */
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
    void line.notify()
    wakeTimer = setTimeout(() => {
      wakeTimer = undefined
      if (!isWakeDue) return
      isWakeDue = false
      wake()
    }, wakeInterval)
  }

  return {
    /** Runs a transaction whose events wake all nodes after it has committed. */
    async transaction<Result>(
      work: (trx: Transaction<Database>, emit: Emit) => Promise<Result>,
    ): Promise<Result> {
      let isEmitted = false
      const result = await db.transaction().execute((trx) =>
        work(trx, async ({ topic, name, data }) => {
          isEmitted = true
          await trx
            .insertInto('event')
            .values({ topic, name, data: JSON.stringify(data) })
            .execute()
        }),
      )
      if (isEmitted) wake()
      return result
    },

    /** Hears all events of all nodes from the start on, each once. Answers how to stop. */
    listen(listener: EventListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Calls when events may have been missed: this node was away for longer than they are kept. */
    onGap(listener: () => void): () => void {
      gapListeners.add(listener)
      return () => void gapListeners.delete(listener)
    },

    /** From when this returns, every event is heard. A database that is slow to answer is no reason not to start. */
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

/** Deletes the events that every node has heard long ago, in portions that are short for the database. */
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

const startTries = 20
const startPause = 500

/** Each try takes a second or two where the database is busy. */
async function insist(step: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step()
    } catch (error) {
      if (tries === startTries) throw error
      await delay(startPause)
    }
  }
}
