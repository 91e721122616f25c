import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { isGone } from './resource/open-record.ts'

/** Invalidates all queries whose keys have this prefix: mounted queries refetch now, the others on their next use. */
export async function readAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): Promise<void> {
  const filter = { queryKey, predicate }
  // The response of a running request may predate the change but would count as fresh.
  const running = client.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  await Promise.allSettled(running.map(async ({ promise }) => promise))
  await client.invalidateQueries(filter)
}

/**
 * Returns a listener of a topic that refetches these queries. When the topic opens, it does not refetch records that do
 * not exist.
 */
export function refetchOn(client: QueryClient, queryKey: QueryKey): (news: { kind: string }) => void {
  const afterOpening = oneAtATime(() => readAgain(client, queryKey, ({ state }) => !isGone(state.error)))
  const afterChange = oneAtATime(() => readAgain(client, queryKey))
  return ({ kind }) => (kind === 'gap' ? afterOpening() : afterChange())
}

/** Coalesces calls: while one run is in progress, at most one more waits. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false
  let isDue = false

  async function run(): Promise<void> {
    isRunning = true
    while (isDue) {
      isDue = false
      // The component that shows the query reports its error.
      await work().catch(() => {})
    }
    isRunning = false
  }

  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
