import type { Endpoint, ReplyOf } from '@pult/contract'
import type {
  DataTag,
  QueryClient,
  QueryFunctionContext,
  QueryKey,
  UseQueryOptions,
} from '@tanstack/react-query'
import type { AnyCall, AnyInput, Call, CallInput } from '../call.ts'
import { isLeft } from './left.ts'
import { keyOf, queryOf } from './query-key.ts'
import { type Pause, readEvery } from './retry-pause.ts'

/** Which record or list is read: the endpoint's `params` and `query`. Empty values of the query are not sent. */
export type ReadInput<E extends Endpoint> = Pick<
  CallInput<E>,
  Extract<keyof CallInput<E>, 'params' | 'query'>
>

/** Options of a read: those of `useQuery` that concern the data, and `every`. */
export interface ReadOptions<Reply, Shown = Reply>
  extends Pick<
    UseQueryOptions<Reply, Error, Shown>,
    'enabled' | 'gcTime' | 'placeholderData' | 'retry' | 'select' | 'staleTime' | 'structuralSharing'
  > {
  /**
   * Pause between two reads in milliseconds, or a function of the last reply that returns it. After a failed read the
   * pause grows up to a minute. Undefined: reads are repeated only after a failure. False: not even then. Nothing is read
   * while the page is hidden.
   */
  every?: Pause | ((last: { data: Reply | undefined; error: Error | null }) => Pause | undefined)
}

/** The query of a call. Its key knows the type of what is cached: the reply. */
export interface CallQuery<Reply, Shown = Reply> extends UseQueryOptions<Reply, Error, Shown> {
  queryKey: DataTag<QueryKey, Reply, Error>
}

/**
 * Returns the query of a call, for the functions of `@tanstack/react-query` that take one. Components use {@link useCall}.
 *
 * The one place that decides how data is read: the key, the signal, and that all reads after the first one are background
 * reads, which do not count as use of the session.
 */
export function callQuery<E extends Endpoint, Shown = ReplyOf<E>>(
  call: Call,
  endpoint: E,
  input: ReadInput<E> | null,
  { every, enabled, ...options }: ReadOptions<ReplyOf<E>, Shown> = {},
): CallQuery<ReplyOf<E>, Shown> {
  const place = (input ?? {}) as Pick<AnyInput, 'params' | 'query'>
  // A read of nothing must not show what another one has read without parameters.
  const queryKey = input === null ? [null, endpoint.path] : keyOf(endpoint, place)
  return {
    ...options,
    queryKey: queryKey as DataTag<QueryKey, ReplyOf<E>, Error>,
    queryFn: (context: QueryFunctionContext) => {
      // A poll that was due before the user left the record.
      const shown = isLeft(context.queryKey) ? context.client.getQueryData(context.queryKey) : undefined
      return (shown ??
        (call as AnyCall)(endpoint, {
          ...place,
          query: queryOf(place.query),
          ...readingOf(context),
        })) as Promise<ReplyOf<E>>
    },
    enabled: (query) =>
      input !== null &&
      !isLeft(query.queryKey) &&
      (typeof enabled === 'function' ? enabled(query) : enabled !== false),
    ...(every !== undefined && {
      refetchInterval: (query) => {
        const pause = typeof every === 'function' ? every(query.state) : every
        return pause !== false && readEvery(pause ?? false)(query)
      },
    }),
  }
}

/** Returns the options of a call that reads: every read after the first one is a background read, also a failed one's. */
export function readingOf({
  client,
  queryKey,
  signal,
}: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>) {
  return { signal, background: hasBeenRead(client, queryKey) }
}

function hasBeenRead(client: QueryClient, queryKey: QueryKey): boolean {
  const state = client.getQueryState(queryKey)
  return (
    state !== undefined &&
    (state.data !== undefined || state.errorUpdateCount > 0 || state.fetchFailureCount > 0)
  )
}

/** As {@link readingOf}, under the name of earlier releases. It will leave. */
export function callOf(context: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>) {
  return readingOf(context)
}
