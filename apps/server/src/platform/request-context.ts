import { AsyncLocalStorage } from 'node:async_hooks'

/** The statements of a request whose trace is recorded. Those that succeeded have no code. */
export interface TracedStatements {
  first: { text: string; begun: number; milliseconds: number; code: string | undefined }[]
  /** Number of further statements. */
  more: number
  /** Milliseconds of all waits for a connection. */
  waited: number
}

/** The request, or the pressed key of a deck at an edge, that the current code serves. */
export interface RequestContext {
  /** Unique across nodes. The answer carries it as `x-request-id`. */
  id: string
  /** The trace and the parent of further calls: https://www.w3.org/TR/trace-context/ */
  trace: Trace | undefined
  /** The deck that acts in the name of a user, and the label of its edge. Each audit record names them. */
  deck?: { deck: string; edge: string }
}

export interface Trace {
  id: string
  parent: string
  isSampled: boolean
  /** Undefined while no collector receives the trace. */
  statements?: TracedStatements
}

const storage = new AsyncLocalStorage<RequestContext>()

export const requestContext = () => storage.getStore()

/** Runs `work`, and everything that it starts, in the context of a request. */
export const runForRequest = <Result>(context: RequestContext, work: () => Result): Result =>
  storage.run(context, work)

/** The fields of each log line of a request. */
export function requestFields(): { request?: string; trace?: string } {
  const context = storage.getStore()
  if (context === undefined) return {}
  return { request: context.id, ...(context.trace !== undefined && { trace: context.trace.id }) }
}

/** Returns the headers that continue the current request at another service. */
export function forwardedContext(): Record<string, string> {
  const context = storage.getStore()
  if (context === undefined) return {}
  const { id, trace } = context
  return {
    'x-request-id': id,
    ...(trace && { traceparent: `00-${trace.id}-${trace.parent}-${trace.isSampled ? '01' : '00'}` }),
  }
}

/** Reads a `traceparent` header. An invalid one counts as absent, as the standard requires. */
export function readTraceparent(header: unknown): Trace | undefined {
  const [, id, parent, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(typeof header === 'string' ? header : '') ?? []
  if (id === undefined || parent === undefined || flags === undefined) return undefined
  if (/^0+$/.test(id) || /^0+$/.test(parent)) return undefined
  return { id, parent, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
