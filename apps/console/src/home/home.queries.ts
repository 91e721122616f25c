import {
  collectionChange,
  edgeEndpoints,
  edgeValueEndpoints,
  type Home,
  homeEndpoints,
  type Project,
  projectEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { useCall, useChange, useLive } from '@pult/sdk'
import { keyOf } from '@pult/sdk/host'
import { queryClient } from '#platform/query-client.ts'
import { storage } from '#platform/storage.ts'
import { withProgress } from '../tasks/tasks.queries.ts'

/** Polling interval, because the load of edges changes without an event. Milliseconds. */
export const homeReadEvery = 15_000
/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 1000

/** Polling interval. The fleet's values have one point an hour. Milliseconds. */
export const valuesReadEvery = 300_000

/** What events and the actions of rows make stale. An action is pending until home has been read without its row. */
const ofHome = (projectId: string) => ({ touches: [`/projects/${projectId}/home`] })

/** All data that home shows of a project, in one response. Live. */
export function useHome({ _id: projectId, label }: Project) {
  const home = useCall(homeEndpoints.read, { params: { projectId } }, { every: homeReadEvery })
  useLive(home.data === undefined ? null : ['projects', ...topicsOf(projectId, home.data)], {
    ...ofHome(projectId),
    apart: readsApart,
    onEvent: ({ name, data }) => {
      if (name === 'task:state') return showProgress(projectId, data)
      const change = collectionChange.safeParse(data).data
      if (change?.collection !== 'projects') return false
      const isGone = change.id === projectId && change.op === 'remove'
      // The page reloads with another project and then reports the removal.
      if (isGone) storage.goneProject.write(label)
      return isGone || change.id !== projectId
    },
  })
  return home
}

/** Topics of the tasks, and of the apps whose records the user may see: the server refuses others. */
const topicsOf = (projectId: string, { counts }: Home) =>
  ['LTT', ...Object.entries(counts).flatMap(([app, count]) => (count === null ? [] : app))].map(
    (topic) => `/projects/${projectId}/${topic}`,
  )

/** The aggregated values of all edges. */
export const useFleetValues = (projectId: string) =>
  useCall(
    edgeValueEndpoints.fleet,
    { params: { projectId } },
    { staleTime: valuesReadEvery, every: valuesReadEvery },
  )

/** Updates the progress of shown tasks in the cache, without a request. */
function showProgress(projectId: string, event: unknown): true {
  queryClient.setQueryData<Home>(
    keyOf(homeEndpoints.read, { params: { projectId } }),
    (home) => home && { ...home, tasks: { ...home.tasks, running: withProgress(home.tasks.running, event) } },
  )
  return true
}

export const useDiagnose = (projectId: string) =>
  useChange(
    edgeEndpoints.diagnose,
    (edgeId: string) => ({ params: { projectId, edgeId } }),
    ofHome(projectId),
  )

export const useRestart = (projectId: string) =>
  useChange(
    edgeEndpoints.restart,
    ({ edgeId, programId }: { edgeId: string; programId: string }) => ({
      params: { projectId, edgeId },
      body: { instance: programId },
    }),
    ofHome(projectId),
  )

export const useRetry = (projectId: string) =>
  useChange(taskEndpoints.retry, (taskId: string) => ({ params: { projectId, taskId } }), ofHome(projectId))

export const useArchive = (projectId: string) =>
  useChange(taskEndpoints.archive, (taskId: string) => ({ params: { projectId, taskId } }), ofHome(projectId))

export const useRestoreTask = (projectId: string) =>
  useChange(taskEndpoints.restore, (taskId: string) => ({ params: { projectId, taskId } }), ofHome(projectId))

export const useResend = (projectId: string) =>
  useChange(
    projectEndpoints.resendInvitation,
    (invitationId: string) => ({ params: { projectId, invitationId } }),
    ofHome(projectId),
  )
