import { type Credentials, type EdgeJob, edgeJobEndpoints, type Project } from '@pult/contract'
import { oneAtATime, readAgain } from '@pult/sdk/host'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { callOf, queryClient } from '../query-client.ts'
import { subscribe } from '../realtime.ts'

/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 2000

/** The unfinished jobs of a project's edges. A project has at most a page of them. */
export const openJobsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['open-jobs', projectId],
    queryFn: async (context) =>
      (
        await api(edgeJobEndpoints.list, {
          ...callOf(context),
          params: { projectId },
          query: { state: 'open' as const },
        })
      ).items,
  })

/** Returns the unfinished jobs that the user may see. The task watcher keeps them up to date. */
export function useOpenJobs(projectId: string | undefined, isEnabled: boolean): readonly EdgeJob[] {
  const { data = [] } = useQuery({
    ...openJobsQuery(projectId ?? ''),
    enabled: isEnabled && projectId !== undefined,
  })
  // A query that is not enabled still has the data that others have read.
  return isEnabled ? data : []
}

/** Whether the user may see the jobs of a project. */
export const seesJobs = (project: Project | null, { _id, isRoot, scope }: Credentials): boolean =>
  project?.products.includes('edges') === true &&
  (isRoot || project.owner === _id || scope.includes(`p-${project._id}/r-edges`))

/** Refetches the jobs after events. Returns the function that stops it. */
export function followOpenJobs(projectId: string): () => void {
  const read = oneAtATime(async () => {
    await readAgain(queryClient, openJobsQuery(projectId).queryKey)
    await new Promise((resolve) => setTimeout(resolve, readsApart))
  })
  return subscribe(`/projects/${projectId}/edge-jobs`, (news) => {
    if (news.kind !== 'ended') read()
  })
}

/** The share of edges on which a job has ended. */
export const endedShare = ({ counts, total }: EdgeJob): number =>
  total === 0 ? 0 : (total - counts.waiting - counts.running) / total
