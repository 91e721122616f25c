import { type AgentMessage, type EdgeReport, edgeMeasures, edgeTimes, edgeValuesOf } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Agent } from '../agents/agent-gateway.ts'
import { createSampleRepository, type KnownSeries, type Minute } from './sample.repository.ts'

type ReportMessage = Extract<AgentMessage, { type: 'report' }>

interface SampleKeeperParts {
  db: Kysely<Database>
  /** The time of the database in epoch milliseconds. */
  now: () => number
  /** Called when all samples of an agent up to a time of its clock are stored. */
  confirmSamples: (agent: Agent, until: number) => void
  log: Log
}

const minute = 60_000
const flushInterval = 2000

/** Samples of a minute may arrive this long after its end. */
const arrivalTime = 3000

/** Rows per statement. */
const mostAtOnce = 500

/** Limits of the age of samples. Samples outside are dropped. Agents store their samples for a shorter time. */
const oldest = edgeTimes.kept + 5 * minute
const newest = minute

/** A minute of an edge that is not written yet. */
interface Pending {
  edgeId: string
  at: number
  agent: Agent
  /** Values by key, by tick in hundredths of a second. */
  ticks: Map<number, Record<string, number>>
  /** The latest of its samples by the agent's clock, if the agent waits for a confirmation. */
  until: number | undefined
}

/**
 * Collects the samples of agents and writes one row for each edge and minute. Agents keep their samples until they are
 * written, so no sample is lost if a node dies.
 */
export function createSampleKeeper({ db, now, confirmSamples, log }: SampleKeeperParts) {
  const pending = new Map<string, Pending>()
  /** Series by edge and key. Agents with many keys are rare, and the number of series of an edge is limited. */
  const known = new Map<string, Map<string, KnownSeries>>()
  const units = new Map<string, Map<string, string>>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let isWorking = false
  let isFailing = false

  function add(agent: Agent, at: number, values: Record<string, number>, until: number | undefined): void {
    const begin = Math.floor(at / minute) * minute
    const key = `${agent.edgeId} ${begin}`
    let entry = pending.get(key)
    if (entry === undefined) {
      entry = { edgeId: agent.edgeId, at: begin, agent, ticks: new Map(), until }
      pending.set(key, entry)
    }
    entry.ticks.set(Math.floor((at - begin) / 10), values)
    Object.assign(entry, { agent, until })
  }

  function unitOf(edgeId: string, key: string): string {
    if (Object.hasOwn(edgeMeasures, key)) return edgeMeasures[key as keyof typeof edgeMeasures]
    return units.get(edgeId)?.get(key) ?? known.get(edgeId)?.get(key)?.unit ?? ''
  }

  /** Reads the series that this node does not know yet, and those whose unit has changed. */
  async function findSeries(entries: readonly Pending[]): Promise<void> {
    const missing = new Map<string, { edgeId: string; key: string; unit: string }>()
    for (const { edgeId, ticks } of entries) {
      const ofEdge = known.get(edgeId)
      for (const values of ticks.values())
        for (const key of Object.keys(values)) {
          const unit = unitOf(edgeId, key)
          if (ofEdge?.get(key)?.unit !== unit) missing.set(`${edgeId} ${key}`, { edgeId, key, unit })
        }
    }
    if (missing.size === 0) return
    const found = await createSampleRepository(db).seriesOf([...missing.values()])
    for (const { edgeId, key, id, unit } of found) {
      const ofEdge = known.get(edgeId) ?? new Map<string, KnownSeries>()
      known.set(edgeId, ofEdge.set(key, { id, unit }))
      missing.delete(`${edgeId} ${key}`)
    }
    const [refused] = missing.values()
    if (refused !== undefined)
      log.warn(
        { edge: refused.edgeId, key: refused.key, count: missing.size },
        'an edge has reached its limit of values; further ones have no history',
      )
  }

  const minuteOf = ({ edgeId, at, ticks }: Pending): Minute => ({
    edgeId,
    at,
    ticks: new Map(
      [...ticks].map(([tick, values]) => [
        tick,
        new Map(
          Object.entries(values).flatMap(([key, value]): [number, number][] => {
            const series = known.get(edgeId)?.get(key)
            return series === undefined ? [] : [[series.id, value]]
          }),
        ),
      ]),
    ),
  })

  async function write(entries: readonly Pending[]): Promise<void> {
    await findSeries(entries)
    await db.transaction().execute((trx) => createSampleRepository(trx).write(entries.map(minuteOf)))
    const kept = new Map<Agent, number>()
    for (const { agent, until } of entries)
      if (until !== undefined) kept.set(agent, Math.max(until, kept.get(agent) ?? 0))
    for (const [agent, until] of kept) confirmSamples(agent, until)
  }

  /** Writes the minutes that have ended, oldest first, or all. */
  async function flush(isLast: boolean): Promise<void> {
    const end = now() - arrivalTime - minute
    const due = [...pending].filter(([, { at }]) => isLast || at <= end)
    due.sort(([, one], [, other]) => one.at - other.at)
    for (let from = 0; from < due.length; from += mostAtOnce) {
      const batch = due.slice(from, from + mostAtOnce)
      // Samples that arrive meanwhile begin the minute again and are added to its row.
      for (const [key] of batch) pending.delete(key)
      try {
        await write(batch.map(([, entry]) => entry))
      } catch (error) {
        requeue(batch)
        throw error
      }
    }
    if (isFailing) log.info('values of edges are written again')
    isFailing = false
  }

  function requeue(batch: readonly [string, Pending][]): void {
    const limit = now() - oldest
    for (const [key, entry] of batch) {
      const since = pending.get(key)
      for (const [tick, values] of since?.ticks ?? []) entry.ticks.set(tick, values)
      if (since !== undefined) Object.assign(entry, { agent: since.agent, until: since.until })
      if (entry.at > limit) pending.set(key, entry)
      else pending.delete(key)
    }
  }

  function flushSoon(isLast = false): void {
    if (isWorking) return
    isWorking = true
    working = flush(isLast)
      .catch((err: unknown) => {
        if (!isFailing) log.warn({ err }, 'values of edges could not be written; retrying')
        isFailing = true
      })
      .finally(() => {
        isWorking = false
      })
  }

  return {
    /** Adds the values of a report. An agent of protocol 1 sends no samples, so its report counts as one. */
    take(agent: Agent, { report, at: sentAt, samples }: ReportMessage): void {
      const arrivedAt = now()
      noteUnits(agent.edgeId, report)
      if (sentAt === undefined || samples === undefined)
        return add(agent, arrivedAt, edgeValuesOf(report), undefined)
      // Corrected by whole minutes, so that repeated samples get the same times.
      const correction = Math.round((arrivedAt - sentAt) / minute) * minute
      for (const { at, values } of samples) {
        const corrected = at + correction
        if (corrected > arrivedAt - oldest && corrected < arrivedAt + newest)
          add(agent, corrected, values, at)
      }
    },

    start(): void {
      timer = setInterval(flushSoon, flushInterval)
    },

    /** Writes the current minute too, because agents of protocol 1 do not send it again. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await working
      flushSoon(true)
      await working
    },
  }

  function noteUnits(edgeId: string, { values }: EdgeReport): void {
    if (values !== undefined && values.length > 0)
      units.set(edgeId, new Map(values.map(({ key, unit }) => [key, unit])))
  }
}
export type SampleKeeper = ReturnType<typeof createSampleKeeper>
