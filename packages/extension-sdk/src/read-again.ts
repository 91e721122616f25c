import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Has all queries whose keys begin like this read again, those on screen at once. */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const filter = { queryKey }
  // What is on its way may be from before the change, and would count as fresh when it arrives.
  const onTheirWay = client.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  await Promise.allSettled(onTheirWay.map(async ({ promise }) => promise))
  await client.invalidateQueries(filter)
}

/** However many changes come, one reading is under way, and one more follows it. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false
  let isDue = false

  async function run(): Promise<void> {
    isRunning = true
    while (isDue) {
      isDue = false
      // What could not be read says so where it is shown.
      await work().catch(() => {})
    }
    isRunning = false
  }

  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
