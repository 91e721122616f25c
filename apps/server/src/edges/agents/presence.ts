import { edgeTimes } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import { edgeNodeTopic, publishEdgeChanges, publishPresence } from '../edge-topic.ts'
import type { Agent, AgentGateway } from './agent-gateway.ts'
import { createOutageGrace } from './outage-grace.ts'
import { createPresenceRepository } from './presence.repository.ts'
import { createReportWriter, type LatestReport } from './report-writer.ts'

interface PresenceParts {
  db: Kysely<Database>
  events: Events
  gateway: Pick<AgentGateway, 'agents' | 'end'>
  clock: Pick<Clock, 'noteDatabase' | 'onStep'>
  log: Log
  /** Milliseconds after a start, a step of the clock or a database outage in which no edge counts as offline, because none could report. */
  graceTime?: number | undefined
}

/** Milliseconds between two rounds. Each writes the reports of new edges. */
const roundInterval = 200

/** Milliseconds between two rounds that write the reports of all edges. */
const writeInterval = 2000

/** Milliseconds between two checks for edges that have stopped reporting, unless a round takes longer. */
const offlineInterval = 600

/**
 * Milliseconds after which a report is too old to be written, because an open but silent connection does not prove
 * that the edge is online.
 */
const freshFor = 10_000

/** Agents pause for at most 30 s between two attempts to connect. */
const usualGraceTime = 50_000

/**
 * Writes the reports of edges in batches and finds edges that have stopped reporting. Presence depends only on the
 * last report, so that a flapping connection does not change it.
 */
export function createPresence({
  db,
  events,
  gateway,
  clock,
  log,
  graceTime = usualGraceTime,
}: PresenceParts) {
  /** The instances of each agent as last written to the database. */
  const knownInstances = new WeakMap<Agent, string>()
  const reports = createReportWriter({ write, log })
  let grace = createOutageGrace(graceTime)
  let timer: NodeJS.Timeout | undefined
  let wroteAt = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NEGATIVE_INFINITY
  let working: Promise<void> = Promise.resolve()
  let isWorking = false
  let isFailing = false

  async function write(latest: readonly LatestReport[]): Promise<void> {
    const agents = latest.map(({ agent }) => agent)
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
        const data = {
          edges: begun.map(({ edgeId, run, number, address }) => ({ id: edgeId, run, number, address })),
        }
        await emit({ topic: edgeNodeTopic, name: 'edge:begun', data })
      }
      return new Map(rows.map((row) => [row.id, row]))
    })
    grace.answered()
    for (const { agent, reportedAt } of latest) {
      const row = written.get(agent.edgeId)
      if (row === undefined) gateway.end(agent, 'unauthenticated')
      else if (!row.isCurrent) gateway.end(agent, 'replaced')
      else {
        agent.isNew = false
        agent.isDirty = agent.reportedAt !== reportedAt
      }
    }
    await writeInstances(latest.filter(({ agent }) => written.get(agent.edgeId)?.isCurrent === true))
  }

  async function writeInstances(latest: readonly LatestReport[]): Promise<void> {
    const others = latest.flatMap(({ agent, report }) => {
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

  /**
   * Finds edges that stopped reporting. Most checks find none and cost one statement without a transaction. Spares the
   * edges whose reports wait on this node.
   */
  async function findOffline(): Promise<void> {
    const from = performance.now()
    const { at, isAny } = await createPresenceRepository(db).findGone()
    grace.answered()
    clock.noteDatabase(at, from)
    if (!isAny || !grace.isOver()) return
    const waiting = gateway
      .agents()
      .filter(({ isDirty, reportedAt }) => isDirty && performance.now() - reportedAt < edgeTimes.offline)
      .map(({ edgeId }) => edgeId)
    await events.transaction(async (trx, emit) => {
      const gone = await createPresenceRepository(trx).markOffline(at, waiting)
      if (gone.length > 0) await publishPresence(emit, gone)
    })
  }

  async function runRound(): Promise<void> {
    const now = performance.now()
    const isForAll = now - wroteAt >= writeInterval
    if (isForAll) wroteAt = now
    const due = gateway
      .agents()
      .filter(
        ({ isDirty, isNew, reportedAt }) => isDirty && (isNew || isForAll) && now - reportedAt < freshFor,
      )
    const failure = await reports.writeRound(due)
    if (failure !== undefined) noteFailure(failure)
    if (isForAll || performance.now() - checkedAt >= offlineInterval) {
      checkedAt = performance.now()
      await findOffline()
    }
    if (!isForAll || failure !== undefined) return
    if (isFailing) log.info('reports of edges are written again')
    isFailing = false
  }

  function noteFailure(err: unknown): void {
    if (!isFailing) log.warn({ err }, 'reports of edges could not be written; retrying')
    isFailing = true
  }

  /** Runs one round at a time. A slow round delays the next. */
  function runSoon(): void {
    if (isWorking) return
    isWorking = true
    working = asWork('presence', runRound)
      .catch(noteFailure)
      .finally(() => {
        isWorking = false
      })
  }

  clock.onStep(({ whose }) => {
    // All reports were written by the former clock.
    if (whose === 'database') grace.begin()
  })

  return {
    start(): void {
      grace = createOutageGrace(graceTime)
      timer = setInterval(runSoon, roundInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },

    findByToken: createPresenceRepository(db).findByToken,
  }
}
