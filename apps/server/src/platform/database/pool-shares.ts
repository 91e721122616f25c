import { AsyncLocalStorage } from 'node:async_hooks'

/** The kind of sign-in and of `GET /me`: without them, Pult cannot be used. */
export const signInWork = 'sign-in'

/** The error of a wait for a connection, in the words of the pool. */
export const waitIsOver = 'timeout exceeded when trying to connect'

/** Work that no code has named. */
const otherWork = 'other'

/** Milliseconds after which a held connection makes its kind slow, and for which the kind then remains slow. */
const slowAfter = 1000
const slowFor = 5000

const storage = new AsyncLocalStorage<string>()

/**
 * Runs `work`, and everything that it starts, as work of this kind. A kind names the work that waits for the same
 * thing: the calls of one route, one queue of jobs, the messages of agents.
 */
export const asWork = <Result>(kind: string, work: () => Result): Result => storage.run(kind, work)

export const workKind = (): string => storage.getStore() ?? otherWork

interface Holding {
  kind: string
  since: number
}

interface Waiter {
  kind: string
  take: () => void
}

interface PoolSharesParts {
  /** Connections of the pool. */
  max: number
  /** Longest wait in milliseconds; by default without end. */
  patience?: number | undefined
  /** Returns the present in milliseconds. */
  now?: () => number
}

/**
 * Divides the connections of a pool among kinds of work, so that work that waits for a locked table leaves connections
 * to the rest.
 *
 * - A fifth is for sign-in only. Another kind takes one more only while it holds less than what is free of the others.
 * - Slow kinds hold at most half of the connections together, and wait until no other kind can take one.
 */
export function createPoolShares({ max, patience, now = () => performance.now() }: PoolSharesParts) {
  const reserved = Math.ceil(max / 5)
  const slowMost = Math.floor(max / 2)
  const holdings = new Set<Holding>()
  /** In the order of their arrival. */
  const waiters = new Set<Waiter>()
  const slowUntil = new Map<string, number>()

  /** Returns the kinds that are slow now. Unnamed work has no common cause, so it is never slow as a whole. */
  function slowKinds(at: number): Set<string> {
    for (const [kind, until] of slowUntil) if (until <= at) slowUntil.delete(kind)
    const slow = new Set(slowUntil.keys())
    for (const { kind, since } of holdings) if (at - since > slowAfter) slow.add(kind)
    slow.delete(otherWork)
    slow.delete(signInWork)
    return slow
  }

  /** Returns the waiter that receives the next connection. Undefined if none of them may take one. */
  function next(): Waiter | undefined {
    const free = max - holdings.size
    if (free === 0 || waiters.size === 0) return undefined
    const slow = slowKinds(now())
    const held = Map.groupBy(holdings, ({ kind }) => kind)
    const heldBySlow = [...holdings].filter(({ kind }) => slow.has(kind)).length
    let last: Waiter | undefined
    let usual: Waiter | undefined
    for (const waiter of waiters) {
      const { kind } = waiter
      if (kind === signInWork) return waiter
      if ((held.get(kind)?.length ?? 0) >= free - reserved) continue
      if (!slow.has(kind)) usual ??= waiter
      else if (heldBySlow < slowMost) last ??= waiter
    }
    return usual ?? last
  }

  function serve(): void {
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      waiters.delete(waiter)
      waiter.take()
    }
  }

  function hold(kind: string): () => void {
    const holding = { kind, since: now() }
    holdings.add(holding)
    return () => {
      holdings.delete(holding)
      const at = now()
      if (at - holding.since > slowAfter) slowUntil.set(kind, at + slowFor)
      serve()
    }
  }

  return {
    /** Resolves with a function that releases the connection. Rejects after the longest wait. */
    acquire(kind: string): Promise<() => void> {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      let timer: NodeJS.Timeout | undefined
      const waiter = {
        kind,
        take: () => {
          clearTimeout(timer)
          resolve(hold(kind))
        },
      }
      waiters.add(waiter)
      serve()
      if (waiters.has(waiter) && patience !== undefined)
        timer = setTimeout(() => {
          waiters.delete(waiter)
          reject(new Error(waitIsOver))
        }, patience).unref()
      return promise
    },

    /** Counts the callers that wait for a connection. */
    waiting: (): number => waiters.size,
  }
}
export type PoolShares = ReturnType<typeof createPoolShares>
