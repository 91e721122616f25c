import type { EdgeReport } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { edgeNodeTopic, tellEdgesChanged, tellPresence } from '../edge-news.ts'
import type { Agent, AgentDoor } from './agent-door.ts'
import { createPresenceRepository } from './presence.repository.ts'

interface PresenceParts {
  db: Kysely<Database>
  events: Events
  door: Pick<AgentDoor, 'agents' | 'end'>
  log: Log
}

/** Milliseconds between two checks. Each check writes the reports of new edges; every tenth writes all others. */
const lookInterval = 200
const writeEvery = 10
const offlineEvery = 3

/** Reports older than this are not written: an open but silent connection does not prove that the edge is online. */
const freshFor = 10_000

/** After a start or an outage of the database, edges could not report: none of them counts as offline. */
const graceTime = 15_000

/** Rows per statement. */
const mostAtOnce = 1000

/** The agent's latest message at the time of writing. */
interface Said {
  agent: Agent
  report: EdgeReport | null
  heardAt: number
}

/**
 * Writes the reports of edges in batches and finds edges that have stopped reporting. Presence depends only on the
 * last report, so that a flapping connection does not change it.
 */
export function createPresence({ db, events, door, log }: PresenceParts) {
  /** The instances of each agent as last written to the database. */
  const knownInstances = new WeakMap<Agent, string>()
  let timer: NodeJS.Timeout | undefined
  let round = 0
  let quietUntil = 0
  let working: Promise<void> = Promise.resolve()
  let isWorking = false
  let isFailing = false

  /**
   * One edge's report must not block the others: a failing batch is split in halves down to the failing report, which
   * is dropped. That edge continues with its next report.
   */
  async function writeApart(said: readonly Said[]): Promise<void> {
    const [first] = said
    if (first === undefined) return
    try {
      await write(said)
    } catch (err) {
      if (err instanceof AppError && err.status === 503) throw err
      if (said.length === 1) {
        const { agent, heardAt } = first
        agent.isDirty = agent.heardAt !== heardAt
        log.warn({ err, edge: agent.edgeId }, 'what an edge reports cannot be written down')
        return
      }
      const middle = Math.ceil(said.length / 2)
      await writeApart(said.slice(0, middle))
      await writeApart(said.slice(middle))
    }
  }

  async function write(said: readonly Said[]): Promise<void> {
    const agents = said.map(({ agent }) => agent)
    const written = await events.transaction(async (trx, emit) => {
      const rows = await createPresenceRepository(trx).write(agents, performance.now())
      const current = rows.filter(({ isCurrent }) => isCurrent)
      const come = current.filter(({ wasOnline, isTroubleNew }) => !wasOnline || isTroubleNew)
      if (come.length > 0)
        await tellPresence(
          emit,
          come.map(({ id, projectId, seenAt }) => ({ id, projectId, isOnline: true, seenAt })),
        )
      const currentIds = new Set(current.map(({ id }) => id))
      const begun = agents.filter(({ isNew, edgeId }) => isNew && currentIds.has(edgeId))
      if (begun.length > 0) {
        const data = { edges: begun.map(({ edgeId, run }) => ({ id: edgeId, run })) }
        await emit({ topic: edgeNodeTopic, name: 'edge:begun', data })
      }
      return new Map(rows.map((row) => [row.id, row]))
    })
    for (const { agent, heardAt } of said) {
      const row = written.get(agent.edgeId)
      if (row === undefined) door.end(agent, 'unauthenticated')
      else if (!row.isCurrent) door.end(agent, 'replaced')
      else {
        agent.isNew = false
        agent.isDirty = agent.heardAt !== heardAt
      }
    }
    await writeInstances(said.filter(({ agent }) => written.get(agent.edgeId)?.isCurrent === true))
  }

  async function writeInstances(said: readonly Said[]): Promise<void> {
    const others = said.flatMap(({ agent, report }) => {
      if (report === null) return []
      const instances = report.instances.map(({ key, label }) => ({ key, label }))
      const text = JSON.stringify(instances)
      return knownInstances.get(agent) === text ? [] : [{ agent, text, edgeId: agent.edgeId, instances }]
    })
    if (others.length === 0) return
    await events.transaction(async (trx, emit) => {
      const changed = await createPresenceRepository(trx).writeInstances(others)
      await tellEdgesChanged(emit, changed)
    })
    for (const { agent, text } of others) knownInstances.set(agent, text)
  }

  /** Most checks find nothing: they cost one statement and no transaction. */
  async function findOffline(): Promise<void> {
    if (!(await createPresenceRepository(db).isAnyGone())) return
    await events.transaction(async (trx, emit) => {
      const gone = await createPresenceRepository(trx).markOffline()
      if (gone.length > 0) await tellPresence(emit, gone)
    })
  }

  async function look(): Promise<void> {
    round += 1
    const now = performance.now()
    const isWriting = round % writeEvery === 0
    const due = door
      .agents()
      .filter(({ isDirty, isNew, heardAt }) => isDirty && (isNew || isWriting) && now - heardAt < freshFor)
      .map((agent) => ({ agent, report: agent.report, heardAt: agent.heardAt }))
    for (let from = 0; from < due.length; from += mostAtOnce)
      await writeApart(due.slice(from, from + mostAtOnce))
    if (round % offlineEvery === 0 && now > quietUntil) await findOffline()
    if (isFailing) log.info('edges are written down again')
    isFailing = false
  }

  /** Runs one check at a time. A slow check delays the next. */
  function lookSoon(): void {
    if (isWorking) return
    isWorking = true
    working = look()
      .catch((err: unknown) => {
        quietUntil = performance.now() + graceTime
        if (!isFailing) log.warn({ err }, 'what edges report cannot be written down; it is tried again')
        isFailing = true
      })
      .finally(() => {
        isWorking = false
      })
  }

  return {
    start(): void {
      quietUntil = performance.now() + graceTime
      timer = setInterval(lookSoon, lookInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },

    findByToken: createPresenceRepository(db).findByToken,
  }
}
