import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { isGone } from './resource/open-record.ts'

/** Refetches all queries whose keys begin like this: those on screen now, the others when they are used. */
export async function readAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): Promise<void> {
  const filter = { queryKey, predicate }
  // A running request may be older than the change, and its answer would count as fresh.
  const onTheirWay = client.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  await Promise.allSettled(onTheirWay.map(async ({ promise }) => promise))
  await client.invalidateQueries(filter)
}

/**
 * A listener of a topic that refetches these queries. A record that does not exist is not asked for again when the topic
 * merely opens.
 */
export function refetchOn(client: QueryClient, queryKey: QueryKey): (news: { kind: string }) => void {
  const afterOpening = oneAtATime(() => readAgain(client, queryKey, ({ state }) => !isGone(state.error)))
  const afterChange = oneAtATime(() => readAgain(client, queryKey))
  return ({ kind }) => (kind === 'gap' ? afterOpening() : afterChange())
}

/** Coalesces calls: while one run is under way, at most one more waits. */
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
