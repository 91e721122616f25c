import type { Endpoint, ReplyOf } from '@pult/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callQuery, type ReadInput, type ReadOptions } from './call-query.ts'
import { useCaller } from './use-caller.ts'

export interface OfBackend {
  /** Calls the app's own service: see {@link useBackend}. */
  backend?: boolean
}

/**
 * Reads data of the server while the calling component is mounted, as `useQuery` does. The same call in several
 * components is made once. Null reads nothing.
 *
 * @example const { data, error } = useCall(noteEndpoints.list, { params: { projectId }, query: { search } })
 * @example useCall(edgeEndpoints.read, { params: { projectId, edgeId } }, { every: 5000, select: ({ state }) => state })
 */
export function useCall<E extends Endpoint, Shown = ReplyOf<E>>(
  endpoint: E,
  input: ReadInput<E> | null,
  { backend = false, ...options }: ReadOptions<ReplyOf<E>, Shown> & OfBackend = {},
): UseQueryResult<Shown> {
  const { call, at } = useCaller(backend)
  return useQuery(callQuery(call, at(endpoint), input, options))
}
