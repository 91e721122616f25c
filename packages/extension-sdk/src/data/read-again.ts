import type { Query, QueryClient } from '@tanstack/react-query'
import { readAgain } from '../read-again.ts'
import { isTouched, type Touched } from './query-key.ts'

/** Marks data as stale: what is on screen is read again now, the rest on its next use. Resolves after these reads. */
export const readTouched = (
  client: QueryClient,
  touched: readonly Touched[],
  predicate: (query: Query) => boolean = () => true,
): Promise<void> =>
  readAgain(
    client,
    [],
    (query) => touched.some((each) => isTouched(query.queryKey, each)) && predicate(query),
  )
