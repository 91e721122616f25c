import { systemEndpoints } from '@pult/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '#platform/api.ts'

/** What the people who run this installation have set. It changes only when the server starts anew. */
export const publicSettingsQuery = queryOptions({
  queryKey: ['settings', 'public'],
  queryFn: ({ signal }) => api(systemEndpoints.settings, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
