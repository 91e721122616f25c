import { hostname } from 'node:os'
import type { Condition } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { isWithin } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { NodeProblem } from './node-problems.ts'

interface HeartbeatParts {
  db: Kysely<Database>
  version: string
  /** Open sockets of consoles, and connected edges. */
  count: () => { sockets: number; edges: number }
  untrustedProxy: () => Condition['untrustedProxy']
  /** Returns the known problems of this node. Must not wait: a late heartbeat means a lost node. */
  problems: () => readonly NodeProblem[]
  log: Log
}

/** Milliseconds between two heartbeats. */
const beat = 10_000

/** A node that has not written for three heartbeats counts as lost. */
const lostAfter = sql`interval '30 seconds'`

/** Whether a row of `node` was written lately. */
export const isAlive = isWithin(sql`seen_at`, lostAfter)

/**
 * A lost node remains listed for a day, so that root notices it, or until its host has a node again: after kill -9 the
 * restarted one has another id.
 */
const forgetAfter = sql`interval '1 day'`

/** Renews this node's heartbeat in the database. A graceful shutdown removes the node. */
export function createHeartbeat({ db, version, count, untrustedProxy, problems, log }: HeartbeatParts) {
  const id = uuidv7()
  const startedAt = new Date(Date.now() - performance.now())
  let timer: NodeJS.Timeout | undefined
  /** The write that runs, and the next one, which all calls during it share. */
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  let fileStore: string | null = null

  async function writeNow(): Promise<void> {
    const { sockets, edges } = count()
    const memory = process.memoryUsage.rss()
    const proxy = untrustedProxy()
    await sql`
      with forgotten as (
        delete from node
        where id <> ${id} and (seen_at < now() - ${forgetAfter} or seen_at > now() + ${forgetAfter}
          or name = ${hostname()} and seen_at < now() - ${lostAfter}))
      insert into node (id, name, version, started_at, seen_at, sockets, edges, memory, file_store,
        clock_offset, untrusted_proxy, untrusted_proxy_seen_at, problems)
      values (${id}, ${hostname()}, ${version}, ${startedAt}, now(), ${sockets}, ${edges}, ${memory}, ${fileStore},
        ${Date.now()}::float8 - extract(epoch from clock_timestamp())::float8 * 1000, ${proxy?.address ?? null},
        ${proxy?.seenAt ?? null}::timestamptz, ${JSON.stringify(problems())}::jsonb)
      on conflict (id) do update set seen_at = excluded.seen_at, sockets = excluded.sockets,
        edges = excluded.edges, memory = excluded.memory, clock_offset = excluded.clock_offset,
        untrusted_proxy = excluded.untrusted_proxy,
        untrusted_proxy_seen_at = excluded.untrusted_proxy_seen_at, problems = excluded.problems`.execute(db)
  }

  function begin(): Promise<void> {
    writing = writeNow().finally(() => {
      writing = undefined
    })
    return writing
  }

  /** Writes values that are read after the call. Any number of callers needs one connection. */
  function write(): Promise<void> {
    if (next !== undefined) return next
    if (writing === undefined) return begin()
    next = writing
      .catch(() => {})
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }

  function writeSoon(): void {
    write().catch((err: unknown) => log.debug({ err }, 'the heartbeat could not be written'))
  }

  return {
    /** The id of this node. */
    id,

    /**
     * Throws if a running node uses another file store: each node would return 404 for the other's files. Writes its
     * own row first, so that of two nodes that start concurrently at least one fails.
     */
    async share(store: string): Promise<void> {
      fileStore = store
      await write()
      const { rows } = await sql<{ name: string }>`
        select name from node
        where id <> ${id} and file_store <> ${store} and ${isAlive} limit 1`.execute(db)
      if (rows[0] === undefined) return
      throw new Error(
        `the running node ${rows[0].name} stores its files in another place. Give all nodes the same FILES_FOLDER or bucket. A node that was killed counts as running for 30 s`,
      )
    },

    async hasOthers(): Promise<boolean> {
      const { rows } = await sql`
        select from node where id <> ${id} and ${isAlive} limit 1`.execute(db)
      return rows.length > 0
    },

    /** Writes the current values of this node, so that the page never shows stale values of the node that serves it. */
    write,

    start(): void {
      writeSoon()
      timer = setInterval(writeSoon, beat).unref()
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await (next ?? writing)?.catch(() => {})
      await db
        .deleteFrom('node')
        .where('id', '=', id)
        .execute()
        .catch(() => {})
    },
  }
}
export type Heartbeat = ReturnType<typeof createHeartbeat>
