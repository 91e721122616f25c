import { systemEndpoints } from '@pult/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** Settings of the operator. They change only when the server restarts. */
export const publicSettingsQuery = queryOptions({
  queryKey: ['settings', 'public'],
  queryFn: ({ signal }) => api(systemEndpoints.settings, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
