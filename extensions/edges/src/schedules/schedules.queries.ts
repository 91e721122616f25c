import { callOf, useApi, useLiveQueries, useProject } from '@pult/sdk'
import { type EdgeSchedule, type EdgeScheduleRun, edgeScheduleEndpoints } from '@pult/sdk/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const all = 'app-edge-schedules'

/** Page size, larger than the number of schedules that a project can have. */
const limit = '200'

export function useSchedules() {
  const call = useApi()
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/edge-jobs`, [all, projectId])
  return useQuery<{ items: EdgeSchedule[] }>({
    queryKey: [all, projectId, 'list'],
    queryFn: (context) =>
      call(edgeScheduleEndpoints.list, { params: { projectId }, query: { limit }, ...callOf(context) }),
  })
}

/** The last runs of a schedule, newest first. */
export function useRuns(itemId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery<{ items: EdgeScheduleRun[] }>({
    queryKey: [all, projectId, 'runs', itemId],
    queryFn: (context) =>
      call(edgeScheduleEndpoints.runs, { params: { projectId, itemId }, ...callOf(context) }),
  })
}

/** The next times of a rhythm. Sends no call while the rhythm is incomplete. */
export function useTimes(cron: string | undefined, timeZone: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery({
    queryKey: [all, projectId, 'times', cron, timeZone],
    queryFn: (context) =>
      call(edgeScheduleEndpoints.times, {
        params: { projectId },
        query: { cron: cron ?? '', timeZone },
        ...callOf(context),
      }),
    enabled: cron !== undefined,
    retry: false,
  })
}

/** Returns a function that refetches the shown schedules. */
export function useReadSchedulesAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: [all, projectId] })
}
