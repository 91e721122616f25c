import { ApiError, readingOf, useApi, useProject, useRun } from '@pult/sdk'
import { edgeProgramEndpoints } from '@pult/sdk/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { emptyLog, firstOf, type LogView, withEarlier, withNewest } from './log-lines.ts'

/** Polling interval of a log in milliseconds. It is polled only while its card is on a visible page. */
const readEvery = 1000

/** Returns whether a retry is useless: the user lacks access, or the program is gone. An offline edge may return. */
export const isRefused = (error: Error | null) =>
  error instanceof ApiError &&
  ['FORBIDDEN', 'NOT_FOUND', 'EDGE_CANNOT', 'UNAUTHENTICATED'].includes(error.code)

interface Shown {
  edgeId: string
  instanceId: string
  isPaused: boolean
}

/** Polls the newest lines of a program's log. Also returns a mutation that loads earlier lines. */
export function useLog({ edgeId, instanceId, isPaused }: Shown) {
  const call = useApi()
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId, instanceId }
  const queryKey = ['edge-log', projectId, edgeId, instanceId]
  // Not `useCall`, which caches the last reply: each read adds the lines after the last one to those of earlier reads.
  const log = useQuery<LogView>({
    queryKey,
    queryFn: async (context) => {
      const { last } = client.getQueryData<LogView>(queryKey) ?? emptyLog
      const query = { after: String(last) }
      const answer = await call(edgeProgramEndpoints.log, { params, query, ...readingOf(context) })
      return withNewest(client.getQueryData<LogView>(queryKey) ?? emptyLog, answer)
    },
    enabled: !isPaused,
    refetchInterval: ({ state }) => (isRefused(state.error) ? false : readEvery),
    // Comparing thousands of rows is wasted work, because `withNewest` already keeps unchanged ones.
    structuralSharing: false,
    // The next time the log opens, it starts with the newest lines.
    gcTime: 0,
    retry: false,
  })
  const earlier = useRun(async (view: LogView) => {
    const query = { before: String(firstOf(view)) }
    const answer = await call(edgeProgramEndpoints.log, { params, query })
    await client.cancelQueries({ queryKey })
    client.setQueryData<LogView>(queryKey, (now) => withEarlier(now ?? view, answer))
  })
  return { ...log, earlier }
}
