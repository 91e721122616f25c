import { QueryClient } from '@tanstack/react-query'

export { callOf } from '@pult/sdk/host'

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

/** An answer with a reason stays the same when asked again; no answer, or a server in trouble, may not. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'NETWORK' || error.status >= 500)
}
