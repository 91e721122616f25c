import { AppError } from '#platform/app-error.ts'

export interface HashQueueOptions {
  running: number
  waiting: number
}

/**
 * Lets a few jobs run at once and some more wait. A hash takes a core for tens of milliseconds and 19 MiB: without
 * a bound a flood of logins holds up every other call.
 */
export function createHashQueue({ running, waiting }: HashQueueOptions) {
  let free = running
  const queue: (() => void)[] = []

  return async function enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
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
}
export type HashQueue = ReturnType<typeof createHashQueue>
