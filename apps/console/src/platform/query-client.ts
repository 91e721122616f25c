import { readEvery } from '@pult/sdk/host'
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { isOfProxy } from './foreign-answer.ts'
import { LoadingError } from './loading-error.ts'
import { session } from './session.ts'

/** The cache of server data. One per page, cleared when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Only a missing response counts as offline. The browser's online state is ignored (DEC-48).
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && isWorthRepeating(error),
      // A single failed response leaves the live connection open, so no reconnect would refetch the query.
      refetchInterval: (query) => isWorthRepeating(query.state.error) && readEvery(false)(query),
      staleTime: 10_000,
    },
  },
})

session.subscribe(() => {
  if (session.get().status === 'signed-out') queryClient.clear()
})

/**
 * A retry cannot change a rejection. It may resolve a missing response or a server error, and a proxy's rejection ends
 * when the user signs in there in another tab.
 */
export function isWorthRepeating(error: unknown): boolean {
  if (error instanceof LoadingError) return error.canRetry
  return error instanceof ApiError && (error.code === 'NETWORK' || error.status >= 500 || isOfProxy(error))
}
