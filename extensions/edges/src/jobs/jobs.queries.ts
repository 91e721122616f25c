import { callOf, useApi, useLiveQueries, usePagedList, useProject } from '@pult/sdk'
import {
  type EdgeJob,
  type EdgeJobChoices,
  type EdgeJobLine,
  type EdgeJobState,
  edgeJobEndpoints,
} from '@pult/sdk/api'
import { refetchWhileOpen } from '@pult/sdk/resource'
import { useQuery, useQueryClient } from '@tanstack/react-query'

const all = 'app-edge-jobs'

/** Rows of a page. The table renders only the visible ones. */
const pageSize = '200'

/** The server lists at most this number of programs. */
export const programsMost = 200

function useLiveJobs(): string {
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/edge-jobs`, [all, projectId])
  return projectId
}

export function useJobList(search: string) {
  const call = useApi()
  const projectId = useLiveJobs()
  return usePagedList<EdgeJob>({
    queryKey: [all, projectId, 'list', search],
    fetchPage: ({ after, signal, background }) =>
      call(edgeJobEndpoints.list, {
        params: { projectId },
        query: { ...(search !== '' && { search }), ...(after !== undefined && { after }) },
        signal,
        background,
      }),
  })
}

export function useJob(jobId: string) {
  const call = useApi()
  const projectId = useLiveJobs()
  return useQuery<EdgeJob>({
    queryKey: [all, projectId, 'job', jobId],
    queryFn: (context) => call(edgeJobEndpoints.read, { params: { projectId, jobId }, ...callOf(context) }),
    ...refetchWhileOpen,
  })
}

export function useJobLines(
  jobId: string,
  { search, state }: { search: string; state: EdgeJobState | null },
) {
  const call = useApi()
  const { _id: projectId } = useProject()
  return usePagedList<EdgeJobLine>({
    queryKey: [all, projectId, 'lines', jobId, search, state],
    fetchPage: ({ after, signal, background }) =>
      call(edgeJobEndpoints.lines, {
        params: { projectId, jobId },
        query: {
          limit: pageSize,
          ...(search !== '' && { search }),
          ...(state !== null && { state }),
          ...(after !== undefined && { after }),
        },
        signal,
        background,
      }),
  })
}

export function useJobLog(jobId: string, lineId: string) {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery({
    queryKey: [all, projectId, 'log', lineId],
    queryFn: (context) =>
      call(edgeJobEndpoints.log, { params: { projectId, jobId, lineId }, ...callOf(context) }),
    select: ({ lines }) => lines,
  })
}

/** The commands that can be started on the edges of the project. */
export function useJobChoices() {
  const call = useApi()
  const { _id: projectId } = useProject()
  return useQuery<EdgeJobChoices>({
    queryKey: [all, projectId, 'choices'],
    queryFn: (context) => call(edgeJobEndpoints.choices, { params: { projectId }, ...callOf(context) }),
  })
}

/** Returns a function that refetches the shown jobs. */
export function useReadJobsAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: [all, projectId] })
}
