import { type StatementFault, statementMetrics } from '../metrics/statement-metrics.ts'
import { requestContext } from '../request-context.ts'
import { workKind } from './pool-shares.ts'

/** Statements of a request that become spans. */
const tracedMost = 64

export interface StatementFailure {
  /** The code of PostgreSQL or of Node; an empty text without one. */
  code: string
  /** Undefined if the statement itself is at fault. */
  reason: StatementFault | undefined
}

/** Begins to count and to trace a statement. Call the returned function once at its end. */
export function beginStatement(text: string): (failure?: StatementFailure) => void {
  const kind = workKind()
  const traced = requestContext()?.trace?.statements
  const begun = performance.now()
  return (failure) => {
    const milliseconds = performance.now() - begun
    statementMetrics.observe(kind, milliseconds / 1000)
    if (failure?.reason !== undefined) statementMetrics.fail(kind, failure.reason)
    if (traced === undefined) return
    if (traced.first.length === tracedMost) traced.more += 1
    else traced.first.push({ text, begun, milliseconds, code: failure?.code })
  }
}

/** Adds a wait for a connection that began at `begun` to the trace of the request. */
export function noteWait(begun: number): void {
  const traced = requestContext()?.trace?.statements
  if (traced !== undefined) traced.waited += performance.now() - begun
}
