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
  /** Additional request headers for the service of an app. */
  headers?: Record<string, string>
}

/**
 * Returns the options of a call inside a query: its signal, and `background` for a refetch, which does not count as use
 * of the session.
 *
 * @example queryFn: (context) => call(organisationEndpoints.list, callOf(context))
 */
export function callOf({ client, queryKey, signal }: QueryFunctionContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined }
}
