import { type Credentials, type EdgeJob, edgeJobEndpoints, type Project } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { callQuery, followLive } from '@pult/sdk/host'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { subscribe } from '../realtime.ts'

/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 2000

const openJobs = (projectId: string) => ({ params: { projectId }, query: { state: 'open' as const } })

/** The unfinished jobs of a project's edges. A project has at most a page of them. */
export const openJobsQuery = (projectId: string) => callQuery(api, edgeJobEndpoints.list, openJobs(projectId))

/** Returns the unfinished jobs that the user may see. The task watcher keeps them up to date. */
export function useOpenJobs(projectId: string | undefined, isEnabled: boolean): readonly EdgeJob[] {
  const isRead = isEnabled && projectId !== undefined
  const { data } = useCall(edgeJobEndpoints.list, isRead ? openJobs(projectId) : null)
  return data?.items ?? []
}

/** Whether the user may see the jobs of a project. */
export const seesJobs = (project: Project | null, { _id, isRoot, scope }: Credentials): boolean =>
  project?.products.includes('edges') === true &&
  (isRoot || project.owner === _id || scope.includes(`p-${project._id}/r-edges`))

/** Refetches the jobs after events. Returns the function that stops it. */
export const followOpenJobs = (projectId: string): (() => void) =>
  followLive({ client: queryClient, subscribe }, [`/projects/${projectId}/edge-jobs`], {
    touches: [edgeJobEndpoints.list],
    apart: readsApart,
  })

/** The share of edges on which a job has ended. */
export const endedShare = ({ counts, total }: EdgeJob): number =>
  total === 0 ? 0 : (total - counts.waiting - counts.running) / total
