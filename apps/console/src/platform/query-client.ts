import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { session } from './session.ts'

/** What the server has told us. One per page; emptied when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isWorthRepeating(error),
      staleTime: 10_000,
    },
  },
})

session.subscribe(() => {
  if (session.get().status === 'signed-out') queryClient.clear()
})

/**
 * How a query calls the API. What is on screen already is read again because it has changed or grown old, which is no use
 * of the session.
 *
 * @example queryFn: (context) => api(organisationEndpoints.list, callOf(context))
 */
export function callOf({ client, queryKey, signal }: QueryFunctionContext) {
  return { signal, background: client.getQueryData(queryKey) !== undefined }
}

/** An answer with a reason stays the same when asked again; no answer, or a server in trouble, may not. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'NETWORK' || error.status >= 500)
}
