import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@pult/contract'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? Partial<Record<Name, never>>
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>

/** The input of a call: the endpoint's `params`, `query` and `body`, and options. */
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & {
    /** Marks a poll, which does not count as use of the session. */
    background?: boolean
    signal?: AbortSignal | undefined
    /** Revision on which a change is based. If the record has changed since, the call fails with REVISION_CONFLICT. */
    revision?: number
    /** Identifies a create, so that a repeat with the same key creates no second record. */
    idempotencyKey?: string
    /** `Accept-Language` of this call, for a form in another language than the page. */
    language?: string | undefined
  }

/** The input as an argument list. The argument is optional if all its properties are. */
export type CallArguments<E extends Endpoint> =
  object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** Calls an endpoint and returns its reply. Throws an `ApiError`. */
export type Call = <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<ReplyOf<E>>

/** A call whose endpoint is known only at run time. */
export type AnyCall = (endpoint: Endpoint, input?: AnyInput) => Promise<unknown>

export interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  background?: boolean
  signal?: AbortSignal | undefined
  revision?: number
  idempotencyKey?: string
  language?: string | undefined
  /** Additional request headers for the service of an app. */
  headers?: Record<string, string>
}

/**
 * Returns a function that makes calls with this signal, and as background calls, which do not count as use of the
 * session, also if their caller hands on neither. For code that reads on behalf of the console.
 */
export function boundCall(
  call: Call,
  { signal, background }: { signal: AbortSignal; background: boolean },
): Call {
  const bound: AnyCall = (endpoint, input = {}) =>
    (call as AnyCall)(endpoint, {
      ...input,
      signal: input.signal ? AbortSignal.any([signal, input.signal]) : signal,
      background: background || input.background === true,
    })
  return bound as Call
}
