import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { publishPresence } from '../edge-topic.ts'
import { hasContact } from '../fleet.ts'
import type { Agent, AgentGateway } from './agent-gateway.ts'

interface SilenceParts {
  db: Kysely<Database>
  events: Events
  gateway: Pick<AgentGateway, 'silent'>
  log: Log
  /** Milliseconds between two checks. */
  interval?: number
}

/** An edge whose agent has become silent, or is no longer. */
interface ChangedEdge {
  id: string
  projectId: string
  seenAt: Date
}

/**
 * Finds edges that are connected but do not report: an offline edge whose agent still answers. Each node writes this for
 * its own agents while it receives their pings, so that the state ends with the connection and with the node.
 */
export function createSilence({ db, events, gateway, log, interval = 5000 }: SilenceParts) {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isFailing = false

  async function check(): Promise<void> {
    const agents = gateway.silent()
    // Most checks find none and cost one statement.
    if (agents.length === 0 && !(await isAnyOver())) return
    await events.transaction(async (trx, emit) => {
      const begun = agents.length === 0 ? [] : await writeContact(trx, agents)
      const over = await endOld(trx)
      const changed = [...begun, ...over]
      if (changed.length > 0)
        await publishPresence(
          emit,
          changed.map((edge) => ({ ...edge, isOnline: false })),
        )
    })
    isFailing = false
  }

  async function isAnyOver(): Promise<boolean> {
    const { rows } = await sql<{ isAny: boolean }>`
      select exists (select from edge_presence where not ${hasContact(sql`contact_at`)}) as "isAny"`.execute(
      db,
    )
    return rows[0]?.isAny === true
  }

  function checkSoon(): void {
    working ??= asWork('silent edges', check)
      .catch((err: unknown) => {
        if (!isFailing) log.warn({ err }, 'silent edges could not be written; retrying')
        isFailing = true
      })
      .finally(() => {
        working = undefined
      })
  }

  return {
    start(): void {
      timer = setInterval(checkSoon, interval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}

/** Notes that these agents are connected. Returns the edges for which this, or its reason, is new. */
async function writeContact(db: Kysely<Database>, agents: readonly Agent[]): Promise<ChangedEdge[]> {
  const { rows } = await sql<ChangedEdge>`
    with given as (
      select * from unnest(
        ${agents.map(({ edgeId }) => edgeId)}::uuid[], ${agents.map(({ connection }) => connection)}::uuid[],
        ${agents.map(({ refusal }) => refusal ?? null)}::text[]
      ) as g (id, connection, reason)
    ), before as (
      select p.edge_id, p.seen_at, g.reason, ${hasContact(sql`p.contact_at`)} is true
        and p.silence is not distinct from g.reason as is_known
      from edge_presence p join given g on g.id = p.edge_id and g.connection = p.connection
      where not p.is_online order by p.edge_id for update of p
    ), written as (
      update edge_presence p set contact_at = now(), silence = b.reason from before b where p.edge_id = b.edge_id
    )
    select e.id, e.project_id as "projectId", b.seen_at as "seenAt" from before b join edge e on e.id = b.edge_id
    where not b.is_known`.execute(db)
  return rows
}

/** Ends the state of edges without contact to a node. Returns those that are now offline. */
async function endOld(db: Kysely<Database>): Promise<ChangedEdge[]> {
  const { rows } = await sql<ChangedEdge>`
    with over as (
      update edge_presence p set contact_at = null, silence = null
      where p.edge_id in (
        select edge_id from edge_presence where not ${hasContact(sql`contact_at`)} order by edge_id for update skip locked)
      returning p.edge_id, p.seen_at, p.is_online
    )
    select e.id, e.project_id as "projectId", o.seen_at as "seenAt" from over o join edge e on e.id = o.edge_id
    where not o.is_online`.execute(db)
  return rows
}
