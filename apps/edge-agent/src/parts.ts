import { lineFrom } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { reasonOf } from './state.ts'

/**
 * Milliseconds for reading one part. A file system whose server is gone never answers, and a report must not wait for
 * it: without reports for 15 s an edge counts as offline.
 */
const usualLimit = 2000

const reasonMost = 300

/**
 * Reads the parts of a report or of a machine, each on its own: a part that throws or hangs has its fallback, and the
 * others are not affected.
 */
export function createParts({
  limit = usualLimit,
  log = writeLog,
}: {
  limit?: number
  log?: typeof writeLog
} = {}) {
  /** Reads that have not returned. None is repeated meanwhile: Node has four threads for all files and names. */
  const hanging = new Set<string>()
  const reasons = new Map<string, string>()

  function fail(name: string, error: unknown): void {
    const reason = lineFrom(reasonOf(error), reasonMost)
    // Repeated with each report, every 5 s.
    if (reasons.get(name) !== reason) log(`The agent cannot report ${name}: ${reason}`)
    reasons.set(name, reason)
  }

  return {
    async part<Value>(name: string, read: () => Value | Promise<Value>, fallback: Value): Promise<Value> {
      if (hanging.has(name)) return fallback
      let timer: NodeJS.Timeout | undefined
      const isLate = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`Reading it takes longer than ${limit / 1000} s`)), limit)
      })
      hanging.add(name)
      const work = (async () => read())().finally(() => hanging.delete(name))
      try {
        const value = await Promise.race([work, isLate])
        if (reasons.delete(name)) log(`The agent reports ${name} again`)
        return value
      } catch (error) {
        fail(name, error)
        return fallback
      } finally {
        clearTimeout(timer)
      }
    },

    /** Why parts are missing, by name. */
    missing: (): Record<string, string> => Object.fromEntries(reasons),
  }
}
