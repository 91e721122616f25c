import { useCall, useLive, usePages, useProject } from '@pult/sdk'
import { type EdgeJobState, edgeJobEndpoints } from '@pult/sdk/api'
import { whileOpen } from '@pult/sdk/resource'

/** Rows of a page. The table renders only the visible ones. */
const pageSize = '200'

/** The server lists at most this number of programs. */
export const programsMost = 200

/** The path of a project's jobs, and the topic of their changes and those of schedules. */
export const jobsOf = (projectId: string) => `/projects/${projectId}/edge-jobs`

export function useJobList(search: string) {
  const { _id: projectId } = useProject()
  useLive(jobsOf(projectId))
  return usePages(edgeJobEndpoints.list, { params: { projectId }, query: { search } })
}

export function useJob(jobId: string) {
  const { _id: projectId } = useProject()
  useLive(jobsOf(projectId))
  return useCall(edgeJobEndpoints.read, { params: { projectId, jobId } }, { every: whileOpen })
}

export function useJobLines(
  jobId: string,
  { search, state }: { search: string; state: EdgeJobState | null },
) {
  const { _id: projectId } = useProject()
  return usePages(edgeJobEndpoints.lines, {
    params: { projectId, jobId },
    query: { limit: pageSize, search, state: state ?? undefined },
  })
}

export function useJobLog(jobId: string, lineId: string) {
  const { _id: projectId } = useProject()
  const input = { params: { projectId, jobId, lineId } }
  return useCall(edgeJobEndpoints.log, input, { select: ({ lines }) => lines })
}

/** The commands that can be started on the edges of the project. */
export function useJobChoices() {
  const { _id: projectId } = useProject()
  return useCall(edgeJobEndpoints.choices, { params: { projectId } })
}
