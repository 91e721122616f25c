import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from './app-error.ts'

/** Node's error codes of connections. ENOENT is absent, because outside the database it means a missing file. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** PostgreSQL's codes of a serialisation failure and of a deadlock: a concurrent transaction conflicted. */
export const conflictCodes: ReadonlySet<string> = new Set(['40001', '40P01'])

/**
 * Returns whether a retry may succeed: the database, the file store or the network failed, and nothing was rejected.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppError) return error.status === 503
  if (!(error instanceof Error && 'code' in error)) return false
  return networkCodes.has(String(error.code)) || conflictCodes.has(String(error.code))
}

/** Milliseconds between two attempts. */
const retryInterval = 1000

/**
 * Repeats work while the database does not answer, for `time` milliseconds at most. Other errors reject immediately.
 */
export async function whenAnswered<Result>(
  work: () => Promise<Result>,
  time = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const until = performance.now() + time
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error
    }
    await delay(retryInterval)
  }
}
