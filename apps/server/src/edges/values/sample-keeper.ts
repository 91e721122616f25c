import {
  type AgentMessage,
  type EdgeReport,
  edgeMeasures,
  edgeTimes,
  edgeValuesOf,
  limits,
} from '@pult/contract'
import type { Kysely } from 'kysely'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Agent } from '../agents/agent-gateway.ts'
import { createSampleRepository, type KnownSeries, type Minute, secondOf } from './sample.repository.ts'

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

/** Rows and values per statement. A row has a value for each of its series at each of its ticks. */
const mostAtOnce = 500
const valuesAtOnce = 50_000

/**
 * Maximum number of values that wait to be written, of one edge and in total. An edge with 68 values sends 12,240 after
 * an absence of 15 minutes. More are dropped.
 */
const ofEdgeMost = 60_000
const inTotalMost = 4_000_000

/** Maximum number of edges of which the log has named a refused value. Afterwards they are named again. */
const namedMost = 10_000

/** Milliseconds for which a node knows a series. The clean-up deletes only series whose values are older. */
const seriesKnown = 60 * minute

/** Limits of the age of samples. Samples outside are dropped. Agents store their samples for a shorter time. */
const oldest = edgeTimes.kept + 5 * minute
const newest = minute

/** A minute of an edge that is not written yet. */
interface Pending {
  edgeId: string
  at: number
  agent: Agent
  /** The first sample of each second, because no agent needs more. Ticks are hundredths of a second. */
  seconds: Map<number, { tick: number; values: Record<string, number> }>
  /** Number of its values. */
  size: number
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
  let knownSince = performance.now()
  const units = new Map<string, Map<string, string>>()
  /** Waiting values of each edge, and of all. */
  const sizes = new Map<string, number>()
  let total = 0
  let isFull = false
  /** Edges with more values than their limit. */
  const named = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  let isWorking = false
  let isFailing = false

  function add(agent: Agent, at: number, values: Record<string, number>, until: number | undefined): void {
    const { edgeId } = agent
    const begin = Math.floor(at / minute) * minute
    const key = `${edgeId} ${begin}`
    const entry: Pending = pending.get(key) ?? {
      edgeId,
      at: begin,
      agent,
      seconds: new Map(),
      size: 0,
      until,
    }
    const tick = Math.floor((at - begin) / 10)
    const held = entry.seconds.get(secondOf(tick))
    const isFurther = held !== undefined && held.tick !== tick
    const more = isFurther ? 0 : sizeOf(values) - sizeOf(held?.values)
    if ((sizes.get(edgeId) ?? 0) + more > ofEdgeMost) return
    if (total + more > inTotalMost) {
      if (!isFull) log.warn('too many values of edges wait to be written; further ones are dropped')
      isFull = true
      return
    }
    if (!isFurther) entry.seconds.set(secondOf(tick), { tick, values })
    Object.assign(entry, { agent, until, size: entry.size + more })
    pending.set(key, entry)
    count(edgeId, more)
  }

  function count(edgeId: string, more: number): void {
    total += more
    const size = (sizes.get(edgeId) ?? 0) + more
    if (size > 0) sizes.set(edgeId, size)
    else sizes.delete(edgeId)
  }

  function remove(key: string): void {
    const entry = pending.get(key)
    if (entry === undefined) return
    pending.delete(key)
    count(entry.edgeId, -entry.size)
  }

  function unitOf(edgeId: string, key: string): string {
    if (Object.hasOwn(edgeMeasures, key)) return edgeMeasures[key as keyof typeof edgeMeasures]
    return units.get(edgeId)?.get(key) ?? known.get(edgeId)?.get(key)?.unit ?? ''
  }

  /** Reads the series that this node does not know yet, and those whose unit has changed. */
  async function findSeries(entries: readonly Pending[]): Promise<void> {
    if (performance.now() - knownSince > seriesKnown) {
      known.clear()
      knownSince = performance.now()
    }
    const missing = new Map<string, { edgeId: string; key: string; unit: string }>()
    for (const [edgeId, ofEdge] of Map.groupBy(entries, (entry) => entry.edgeId)) {
      const others = [...keysOf(ofEdge)].filter(
        (key) => known.get(edgeId)?.get(key)?.unit !== unitOf(edgeId, key),
      )
      // An edge has no more series, so it needs no more in one statement.
      for (const key of others.slice(0, limits.edgeSeriesMax))
        missing.set(`${edgeId} ${key}`, { edgeId, key, unit: unitOf(edgeId, key) })
    }
    if (missing.size === 0) return
    const found = await createSampleRepository(db).seriesOf([...missing.values()])
    for (const { edgeId, key, id, unit } of found) {
      const ofEdge = known.get(edgeId) ?? new Map<string, KnownSeries>()
      known.set(edgeId, ofEdge.set(key, { id, unit }))
      missing.delete(`${edgeId} ${key}`)
    }
    for (const { edgeId, key } of missing.values()) {
      if (named.has(edgeId)) continue
      if (named.size >= namedMost) named.clear()
      named.add(edgeId)
      log.warn({ edge: edgeId, key }, 'an edge has reached its limit of values; further ones have no history')
    }
  }

  const minuteOf = ({ edgeId, at, seconds }: Pending): Minute => ({
    edgeId,
    at,
    ticks: new Map(
      [...seconds.values()].map(({ tick, values }) => [
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
    for (const batch of slicesOf(due)) {
      // Samples that arrive meanwhile begin the minute again and are added to its row.
      for (const [key] of batch) remove(key)
      try {
        await write(batch.map(([, entry]) => entry))
      } catch (error) {
        requeue(batch)
        throw error
      }
    }
    if (isFailing) log.info('values of edges are written again')
    isFailing = false
    isFull = false
  }

  function requeue(batch: readonly [string, Pending][]): void {
    const limit = now() - oldest
    for (const [key, entry] of batch) {
      const since = pending.get(key)
      remove(key)
      if (entry.at <= limit) continue
      for (const [second, sample] of since?.seconds ?? [])
        if (!entry.seconds.has(second)) entry.seconds.set(second, sample)
      if (since !== undefined) Object.assign(entry, { agent: since.agent, until: since.until })
      entry.size = [...entry.seconds.values()].reduce((sum, { values }) => sum + sizeOf(values), 0)
      pending.set(key, entry)
      count(entry.edgeId, entry.size)
    }
  }

  function flushSoon(isLast = false): void {
    if (isWorking) return
    isWorking = true
    working = asWork('edge values', () => flush(isLast))
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
const sizeOf = (values: Record<string, number> = {}) => Object.keys(values).length

/** Returns the keys of all samples. */
const keysOf = (entries: readonly Pick<Pending, 'seconds'>[]) =>
  new Set(
    entries.flatMap(({ seconds }) => [...seconds.values()].flatMap(({ values }) => Object.keys(values))),
  )

/** Splits minutes so that each statement stays small, and other work runs between two of them. */
function* slicesOf(due: readonly [string, Pending][]): Generator<[string, Pending][]> {
  let slice: [string, Pending][] = []
  let size = 0
  for (const one of due) {
    const [, entry] = one
    const more = entry.seconds.size * Math.min(keysOf([entry]).size, limits.edgeSeriesMax)
    if (slice.length === mostAtOnce || (slice.length > 0 && size + more > valuesAtOnce)) {
      yield slice
      slice = []
      size = 0
    }
    slice.push(one)
    size += more
  }
  if (slice.length > 0) yield slice
}

export type SampleKeeper = ReturnType<typeof createSampleKeeper>
