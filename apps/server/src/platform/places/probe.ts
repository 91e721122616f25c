import { createGate } from './gate.ts'

interface ProbeParts<Value> {
  call: () => Promise<Value>
  /** Milliseconds that the place may take to answer. */
  patience: number
  /** The error of a place that does not answer. */
  fault: () => Error
}

/**
 * Returns a question to a place that may hang. One call at a time: concurrent questions share it, and while a late call
 * has not answered, each question rejects immediately with the fault.
 */
export function createProbe<Value>({ call, patience, fault }: ProbeParts<Value>): () => Promise<Value> {
  const gate = createGate({ atOnce: 1, patience, fault })
  let asking: Promise<Value> | undefined
  return () => {
    asking ??= gate.attempt(call).finally(() => {
      asking = undefined
    })
    return asking
  }
}
