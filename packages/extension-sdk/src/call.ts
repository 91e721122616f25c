import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@pult/contract'
import type { QueryFunctionContext } from '@tanstack/react-query'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? Partial<Record<Name, never>>
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>

/** The input of a call: the endpoint's `params`, `query` and `body`, and options. */
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & {
    /** A poll: it does not count as use of the session. */
    background?: boolean
    signal?: AbortSignal | undefined
    /** The revision that a change was made from; a record that has changed since is refused as REVISION_CONFLICT. */
    revision?: number
    /** A create that is sent again with the same key makes one record. */
    idempotencyKey?: string
    /** `Accept-Language` of this call, for a form that is not in the language of the page. */
    language?: string | undefined
  }

/** One argument, which may be left out where everything in it may. */
export type CallArguments<E extends Endpoint> =
  object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** Makes a call of an endpoint. Throws an `ApiError`. */
export type Call = <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<ReplyOf<E>>

/** A call whose endpoint is known only at run time. */
export type AnyCall = (endpoint: Endpoint, input: AnyInput) => Promise<unknown>

export interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  background?: boolean
  signal?: AbortSignal | undefined
  revision?: number
  idempotencyKey?: string
  language?: string | undefined
  /** What the service of an app is told beside the call. */
  headers?: Record<string, string>
}

/**
 * Options for a call inside a query. A background refetch does not count as use of the session.
 *
 * @example queryFn: (context) => call(organisationEndpoints.list, callOf(context))
 */
export function callOf({ client, queryKey, signal }: QueryFunctionContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined }
}
