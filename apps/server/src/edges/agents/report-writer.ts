import type { EdgeReport } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Log } from '#platform/log.ts'
import type { Agent } from './agent-gateway.ts'

/** An agent's latest report at the time of writing. */
export interface LatestReport {
  agent: Agent
  report: EdgeReport | null
  reportedAt: number
}

interface ReportWriterParts {
  /** Writes reports with one statement. A written report is no longer dirty. */
  write: (reports: readonly LatestReport[]) => Promise<void>
  log: Log
  /** Milliseconds after which a round begins no further piece. */
  roundTime?: number
}

/** Reports per statement. A statement that times out halves the number, and each full piece doubles it again. */
const pieceMax = 250
const pieceMin = 10

/** Failing writes must not delay the check for offline edges. The next round continues with the rest. */
const usualRoundTime = 2000

/**
 * Writes the reports of agents in pieces that the database can write within its time limit. The agents untried for the
 * longest come first, so that each has its turn.
 */
export function createReportWriter({ write, log, roundTime = usualRoundTime }: ReportWriterParts) {
  const triedAt = new WeakMap<Agent, number>()
  /** Agents of a smallest piece that timed out. Each is written alone, so that one row cannot block the others. */
  const alone = new WeakSet<Agent>()
  let size = pieceMax

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

  async function writePiece(agents: readonly Agent[]): Promise<void> {
    const now = performance.now()
    for (const agent of agents) triedAt.set(agent, now)
    try {
      await writeIsolated(
        agents.map((agent) => ({ agent, report: agent.report, reportedAt: agent.reportedAt })),
      )
    } catch (err) {
      // The failure of an agent that is written alone does not concern the others.
      if (!agents.some((agent) => alone.has(agent))) size = Math.max(pieceMin, Math.floor(agents.length / 2))
      if (isTimeout(err) && agents.length <= pieceMin) for (const agent of agents) alone.add(agent)
      throw err
    }
    if (agents.length >= size) size = Math.min(pieceMax, size * 2)
    for (const agent of agents) alone.delete(agent)
  }

  /** Returns the number of agents of the next piece. */
  function lengthOfNext([first, ...others]: readonly Agent[]): number {
    if (first === undefined || alone.has(first)) return 1
    const end = others.slice(0, size - 1).findIndex((agent) => alone.has(agent))
    return end === -1 ? size : end + 1
  }

  return {
    /**
     * Writes the reports of these agents. Returns the first failure, undefined if all succeeded. Reports that could not
     * be written remain dirty.
     */
    async writeRound(agents: readonly Agent[]): Promise<unknown> {
      const until = performance.now() + roundTime
      let waiting = agents.toSorted((a, b) => (triedAt.get(a) ?? 0) - (triedAt.get(b) ?? 0))
      let failure: unknown
      while (waiting.length > 0 && performance.now() < until) {
        const length = lengthOfNext(waiting)
        const piece = waiting.slice(0, length)
        waiting = waiting.slice(length)
        try {
          await writePiece(piece)
        } catch (err) {
          failure ??= err
          // Without a database, the other pieces would fail as well.
          if (!isTimeout(err)) break
        }
      }
      return failure
    },
  }
}

const isTimeout = (error: unknown) => error instanceof AppError && error.code === 'QUERY_TIMEOUT'
