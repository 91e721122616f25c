import { counted } from './pending-calls.ts'

interface GateParts {
  /** The number of calls at the same time. Each takes a thread of the pool of Node. */
  atOnce?: number
  /** Milliseconds after which a call that has not answered is given up. */
  patience: number
  /** The error of a place that does not answer. */
  fault: () => Error
}

/** Calls to one folder at the same time, so that several folders that hang leave threads to the rest of the server. */
const usualAtOnce = 8

/** A handle of a file, or a stream. */
interface Closable {
  close(): Promise<void>
}

export interface Gate {
  /**
   * Makes a call whose result may be given up. Rejects with the fault of the place after the patience; `discard`
   * receives a result that arrives later.
   */
  attempt<Value>(call: () => Promise<Value>, discard?: (value: Value) => unknown): Promise<Value>
  /**
   * Makes a call whose result must be known, such as a write, and waits for it as long as it takes. Rejects with the
   * fault of the place if the call could not begin.
   */
  finish<Value>(call: () => Promise<Value>): Promise<Value>
  /** Closes a file, and does not wait for a place that does not answer. */
  close(file: Closable): Promise<void>
}

/**
 * Bounds the calls to a folder that may hang, for example on a network. The operating system cannot cancel such a call,
 * so it keeps its thread and its place here until the folder answers. Once all places are held by late calls, the
 * next ones are refused immediately. The first answer opens the gate again.
 */
export function createGate({ atOnce = usualAtOnce, patience, fault }: GateParts): Gate {
  const waiting = new Set<() => void>()
  let running = 0
  let late = 0

  /** Takes a place. Without `isPatient`, rejects once no place becomes free in time. */
  async function enter({ isPatient = false } = {}): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (late >= atOnce && !isPatient) throw fault()
    const turn = Promise.withResolvers<void>()
    waiting.add(turn.resolve)
    const timer = isPatient ? undefined : setTimeout(giveUp, patience)
    function giveUp() {
      waiting.delete(turn.resolve)
      turn.reject(fault())
    }
    await turn.promise
    clearTimeout(timer)
  }

  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  /** Makes a call, and reports when it is late. */
  async function make<Value>(call: () => Promise<Value>, onLate = () => {}): Promise<Value> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late += 1
      onLate()
    }, patience)
    try {
      return await counted(call)
    } finally {
      clearTimeout(timer)
      if (isLate) late -= 1
      leave()
    }
  }

  async function attempt<Value>(
    call: () => Promise<Value>,
    discard: (value: Value) => unknown = () => {},
  ): Promise<Value> {
    await enter()
    const given = Promise.withResolvers<Value>()
    let isGivenUp = false
    const answer = make(call, () => {
      isGivenUp = true
      given.reject(fault())
    })
    answer.then((value) => (isGivenUp ? discard(value) : given.resolve(value)), given.reject).catch(() => {})
    return given.promise
  }

  async function finish<Value>(call: () => Promise<Value>): Promise<Value> {
    await enter()
    return make(call)
  }

  return {
    attempt,
    finish,

    async close(file) {
      const closed = enter({ isPatient: true }).then(() => make(() => file.close()))
      const given = Promise.withResolvers<void>()
      const timer = setTimeout(given.resolve, patience)
      closed.then(given.resolve, given.reject)
      await given.promise.finally(() => clearTimeout(timer))
    },
  }
}
