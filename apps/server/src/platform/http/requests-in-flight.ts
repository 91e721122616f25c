import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../app-error.ts'

/**
 * Browsers and proxies send one request at a time on a connection. A second one can overlap with the end of the first,
 * because a client knows the end of a reply by its length, before this server does.
 */
const ofConnection = 2

/**
 * Bounds the requests in flight of each connection: the second one is the last of its connection, and those behind it get
 * no reply, so a client sends them again on another connection (RFC 9112 9.3.2). Node would start all requests of one
 * packet together.
 */
export function boundPipelining(handle: RequestListener): RequestListener {
  const inFlight = new WeakMap<Socket, number>()
  const closing = new WeakSet<Socket>()

  return (request, response) => {
    const { socket } = request
    const others = inFlight.get(socket) ?? 0
    if (closing.has(socket)) return
    if (others + 1 === ofConnection) {
      closing.add(socket)
      response.shouldKeepAlive = false
    }
    inFlight.set(socket, others + 1)
    response.once('close', () => inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1))
    handle(request, response)
  }
}

/** Calls in progress: of all callers, and of one caller, which is a person or a network. */
interface CallLimits {
  all: number
  each: number
}

/** A browser makes six calls at a time. Many people share one network while they sign in. */
const usualLimits: CallLimits = { all: 1000, each: 300 }

/**
 * Bounds the calls in progress, from the arrived body to the reply: what waits for the database or a queue occupies memory
 * and connections. Slow bodies and slow readers hold no place.
 */
export function createCallsInProgress({ all, each }: CallLimits = usualLimits) {
  const ofCaller = new Map<string, number>()
  let total = 0

  return {
    /** @throws {AppError} BUSY if too many calls are in progress. */
    async run<Result>(caller: string, call: () => Promise<Result> | Result): Promise<Result> {
      const own = ofCaller.get(caller) ?? 0
      if (total >= all || own >= each) throw new AppError('BUSY', { retryAfter: 1 })
      total += 1
      ofCaller.set(caller, own + 1)
      try {
        return await call()
      } finally {
        total -= 1
        const left = (ofCaller.get(caller) ?? 1) - 1
        if (left === 0) ofCaller.delete(caller)
        else ofCaller.set(caller, left)
      }
    },
  }
}
export type CallsInProgress = ReturnType<typeof createCallsInProgress>
