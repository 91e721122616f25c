import type { UseQueryResult } from '@tanstack/react-query'

type Reading = Pick<UseQueryResult, 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'>

/**
 * When the answer of a query was read, in milliseconds since 1970, if it could not be read again since; null otherwise.
 *
 * @example <StaleNote since={staleSince(query)} />
 */
export const staleSince = ({ data, error, dataUpdatedAt, fetchStatus }: Reading): number | null =>
  data !== undefined && (error !== null || fetchStatus === 'paused') ? dataUpdatedAt : null
