import type { UseQueryResult } from '@tanstack/react-query'

type Reading = Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'>

/**
 * Returns the time of a query's data in milliseconds since 1970 if the latest refetch failed, or null otherwise.
 *
 * @example <StaleNote since={staleSince(query)} />
 */
export const staleSince = ({ data, error, dataUpdatedAt, fetchStatus }: Reading): number | null =>
  data !== undefined && (error !== null || fetchStatus === 'paused') ? dataUpdatedAt : null
