import { ApiError, callOf, useApi, useProject } from '@pult/sdk'
import { edgeProgramEndpoints } from '@pult/sdk/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { emptyLog, firstOf, type LogView, withEarlier, withNewest } from './log-lines.ts'

/** Milliseconds between two looks at a log. It is read only while its card is on a visible page. */
const readEvery = 1000

/** Whether asking again is of no use: the user may not, or the program is gone. An edge that is away may come back. */
export const isRefused = (error: Error | null) =>
  error instanceof ApiError &&
  ['FORBIDDEN', 'NOT_FOUND', 'EDGE_CANNOT', 'UNAUTHENTICATED'].includes(error.code)

interface Shown {
  edgeId: string
  instanceId: string
  isPaused: boolean
}

/** The newest lines of a program's log, read while they are shown, and a function for the lines before them. */
export function useLog({ edgeId, instanceId, isPaused }: Shown) {
  const call = useApi()
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId, instanceId }
  const queryKey = ['app-edge-log', projectId, edgeId, instanceId]
  const log = useQuery<LogView>({
    queryKey,
    queryFn: async (context) => {
      const { last } = client.getQueryData<LogView>(queryKey) ?? emptyLog
      const query = { after: String(last) }
      const answer = await call(edgeProgramEndpoints.log, { params, query, ...callOf(context) })
      return withNewest(client.getQueryData<LogView>(queryKey) ?? emptyLog, answer)
    },
    enabled: !isPaused,
    refetchInterval: ({ state }) => (isRefused(state.error) ? false : readEvery),
    // Thousands of rows, which are new only when there are new lines.
    structuralSharing: false,
    // Another look begins with the newest lines.
    gcTime: 0,
    retry: false,
  })
  const earlier = useMutation({
    mutationFn: async (view: LogView) => {
      const query = { before: String(firstOf(view)) }
      const answer = await call(edgeProgramEndpoints.log, { params, query })
      await client.cancelQueries({ queryKey })
      client.setQueryData<LogView>(queryKey, (now) => withEarlier(now ?? view, answer))
    },
  })
  return { ...log, earlier }
}
