import type { EdgeReport } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { edgeNodeTopic, publishEdgeChanges, publishPresence } from '../edge-topic.ts'
import type { Agent, AgentGateway } from './agent-gateway.ts'
import { createPresenceRepository } from './presence.repository.ts'

interface PresenceParts {
  db: Kysely<Database>
  events: Events
  gateway: Pick<AgentGateway, 'agents' | 'end'>
  log: Log
}

/** Milliseconds between two checks. Each check writes the reports of new edges; every tenth writes all others. */
const checkInterval = 200
const writeEvery = 10
const offlineEvery = 3

/**
 * Milliseconds after which a report is too old to be written, because an open but silent connection does not prove
 * that the edge is online.
 */
const freshFor = 10_000

/** No edge counts as offline for this long after a start or a database outage, because none could report. */
const graceTime = 15_000

/** Rows per statement. */
const mostAtOnce = 1000

/** An agent's latest report at the time of writing. */
interface LatestReport {
  agent: Agent
  report: EdgeReport | null
  reportedAt: number
}

/**
 * Writes the reports of edges in batches and finds edges that have stopped reporting. Presence depends only on the
 * last report, so that a flapping connection does not change it.
 */
export function createPresence({ db, events, gateway, log }: PresenceParts) {
  /** The instances of each agent as last written to the database. */
  const knownInstances = new WeakMap<Agent, string>()
  let timer: NodeJS.Timeout | undefined
  let round = 0
  let quietUntil = 0
  let working: Promise<void> = Promise.resolve()
  let isWorking = false
  let isFailing = false

  /**
   * Writes reports so that one edge's report cannot block the others: a failing batch is split in halves down to the
   * failing report, which is dropped. That edge continues with its next report.
   */
  async function writeIsolated(reports: readonly LatestReport[]): Promise<void> {
    const [first] = reports
    if (first === undefined) return
    try {
      await write(reports)
    } catch (err) {
      if (err instanceof AppError && err.status === 503) throw err
      if (reports.length === 1) {
        const { agent, reportedAt } = first
        agent.isDirty = agent.reportedAt !== reportedAt
        log.warn({ err, edge: agent.edgeId }, 'the report of an edge could not be written')
        return
      }
      const middle = Math.ceil(reports.length / 2)
      await writeIsolated(reports.slice(0, middle))
      await writeIsolated(reports.slice(middle))
    }
  }

  async function write(reports: readonly LatestReport[]): Promise<void> {
    const agents = reports.map(({ agent }) => agent)
    const written = await events.transaction(async (trx, emit) => {
      const rows = await createPresenceRepository(trx).write(agents, performance.now())
      const current = rows.filter(({ isCurrent }) => isCurrent)
      const changed = current.filter(({ wasOnline, isTroubleNew }) => !wasOnline || isTroubleNew)
      if (changed.length > 0)
        await publishPresence(
          emit,
          changed.map(({ id, projectId, seenAt }) => ({ id, projectId, isOnline: true, seenAt })),
        )
      const currentIds = new Set(current.map(({ id }) => id))
      const begun = agents.filter(({ isNew, edgeId }) => isNew && currentIds.has(edgeId))
      if (begun.length > 0) {
        const data = { edges: begun.map(({ edgeId, run }) => ({ id: edgeId, run })) }
        await emit({ topic: edgeNodeTopic, name: 'edge:begun', data })
      }
      return new Map(rows.map((row) => [row.id, row]))
    })
    for (const { agent, reportedAt } of reports) {
      const row = written.get(agent.edgeId)
      if (row === undefined) gateway.end(agent, 'unauthenticated')
      else if (!row.isCurrent) gateway.end(agent, 'replaced')
      else {
        agent.isNew = false
        agent.isDirty = agent.reportedAt !== reportedAt
      }
    }
    await writeInstances(reports.filter(({ agent }) => written.get(agent.edgeId)?.isCurrent === true))
  }

  async function writeInstances(reports: readonly LatestReport[]): Promise<void> {
    const others = reports.flatMap(({ agent, report }) => {
      // A report whose programs are unknown changes none.
      if (report === null || report.missing?.['instances'] !== undefined) return []
      const instances = report.instances.map(({ key, label }) => ({ key, label }))
      const text = JSON.stringify(instances)
      return knownInstances.get(agent) === text ? [] : [{ agent, text, edgeId: agent.edgeId, instances }]
    })
    if (others.length === 0) return
    await events.transaction(async (trx, emit) => {
      const changed = await createPresenceRepository(trx).writeInstances(others)
      await publishEdgeChanges(emit, changed)
    })
    for (const { agent, text } of others) knownInstances.set(agent, text)
  }

  /** Finds edges that stopped reporting. Most checks find none and cost one statement without a transaction. */
  async function findOffline(): Promise<void> {
    if (!(await createPresenceRepository(db).isAnyGone())) return
    await events.transaction(async (trx, emit) => {
      const gone = await createPresenceRepository(trx).markOffline()
      if (gone.length > 0) await publishPresence(emit, gone)
    })
  }

  async function check(): Promise<void> {
    round += 1
    const now = performance.now()
    const isWriting = round % writeEvery === 0
    const due = gateway
      .agents()
      .filter(
        ({ isDirty, isNew, reportedAt }) => isDirty && (isNew || isWriting) && now - reportedAt < freshFor,
      )
      .map((agent) => ({ agent, report: agent.report, reportedAt: agent.reportedAt }))
    for (let from = 0; from < due.length; from += mostAtOnce)
      await writeIsolated(due.slice(from, from + mostAtOnce))
    if (round % offlineEvery === 0 && now > quietUntil) await findOffline()
    if (isFailing) log.info('reports of edges are written again')
    isFailing = false
  }

  /** Runs one check at a time. A slow check delays the next. */
  function checkSoon(): void {
    if (isWorking) return
    isWorking = true
    working = check()
      .catch((err: unknown) => {
        quietUntil = performance.now() + graceTime
        if (!isFailing) log.warn({ err }, 'reports of edges could not be written; retrying')
        isFailing = true
      })
      .finally(() => {
        isWorking = false
      })
  }

  return {
    start(): void {
      quietUntil = performance.now() + graceTime
      timer = setInterval(checkSoon, checkInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },

    findByToken: createPresenceRepository(db).findByToken,
  }
}
