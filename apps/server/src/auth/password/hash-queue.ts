import { AppError } from '#platform/app-error.ts'

export interface HashQueueOptions {
  running: number
  waiting: number
}

/** Runs the job when a slot is free and returns its result. Throws BUSY when the queue is full. */
export type Enqueue = <Result>(job: () => Promise<Result>) => Promise<Result>

/**
 * Limits concurrent jobs; further jobs wait in a bounded queue. A hash takes a core for tens of milliseconds and 19 MiB:
 * without a bound a flood of logins delays every other call.
 */
export function createHashQueue({ running, waiting }: HashQueueOptions) {
  let free = running
  const queue: (() => void)[] = []

  const enqueue: Enqueue = async (job) => {
    if (free > 0) free -= 1
    else {
      if (queue.length >= waiting) throw new AppError('BUSY', { retryAfter: 2 })
      await new Promise<void>((start) => queue.push(start))
    }
    try {
      return await job()
    } finally {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
  /** The jobs of this node at this moment. */
  const load = () => ({ running: running - free, waiting: queue.length })
  return Object.assign(enqueue, { load })
}
export type HashQueue = ReturnType<typeof createHashQueue>
