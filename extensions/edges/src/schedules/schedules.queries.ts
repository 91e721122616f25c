import { type Touched, useCall, useLive, useProject } from '@pult/sdk'
import { edgeScheduleEndpoints } from '@pult/sdk/api'
import { jobsOf } from '../jobs/jobs.queries.ts'

/** Page size, larger than the number of schedules that a project can have. */
const limit = '200'

/** What a change of schedules makes stale. */
export const scheduleData: readonly Touched[] = [edgeScheduleEndpoints.list, edgeScheduleEndpoints.runs]

export function useSchedules() {
  const { _id: projectId } = useProject()
  useLive(jobsOf(projectId), { touches: scheduleData })
  return useCall(edgeScheduleEndpoints.list, { params: { projectId }, query: { limit } })
}

/** The last runs of a schedule, newest first. */
export function useRuns(itemId: string) {
  const { _id: projectId } = useProject()
  return useCall(edgeScheduleEndpoints.runs, { params: { projectId, itemId } })
}

/** The next times of a rhythm. Sends no call while the rhythm is incomplete. */
export function useTimes(cron: string | undefined, timeZone: string) {
  const { _id: projectId } = useProject()
  const input = cron === undefined ? null : { params: { projectId }, query: { cron, timeZone } }
  return useCall(edgeScheduleEndpoints.times, input, { retry: false })
}
