import { AppError } from '#platform/app-error.ts'

export interface HashQueueOptions {
  running: number
  waiting: number
}

/** Answers what the job does, once its turn has come; throws BUSY where too many wait. */
export type Enqueue = <Result>(job: () => Promise<Result>) => Promise<Result>

export interface HashQueue extends Enqueue {
  /** Whether the next job would have to wait, or be refused. */
  isBusy: () => boolean
}

/**
 * Lets a few jobs run at once and some more wait. A hash takes a core for tens of milliseconds and 19 MiB: without
 * a bound a flood of logins holds up every other call.
 */
export function createHashQueue({ running, waiting }: HashQueueOptions): HashQueue {
  let free = running
  const queue: (() => void)[] = []

  async function enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
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
  return Object.assign(enqueue, { isBusy: () => free === 0 })
}
