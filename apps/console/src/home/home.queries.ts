import {
  collectionChange,
  edgeEndpoints,
  edgeValueEndpoints,
  type Home,
  homeEndpoints,
  type Project,
  projectEndpoints,
  type Task,
  taskEndpoints,
  taskUpdate,
  z,
} from '@pult/contract'
import { oneAtATime, readAgain } from '@pult/sdk/host'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { readEvery } from '#platform/desk/retry-pause.ts'
import { callOf, queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { storage } from '#platform/storage.ts'

/** Polling interval, because the load of edges changes without an event. Milliseconds. */
export const homeReadEvery = 15_000
/** Minimum interval between two refetches after events. Milliseconds. */
const readsApart = 1000

/** Polling interval. The fleet's values have one point an hour. Milliseconds. */
export const valuesReadEvery = 300_000

const keyOf = (projectId: string) => ['home', projectId]
const liveTopics = ['edges', 'LTT', 'notes', 'media']

/** All data that home shows of a project, in one response. Live. */
export function useHome({ _id: projectId, label }: Project) {
  useEffect(() => followHome(projectId, label), [projectId, label])
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: (context) => api(homeEndpoints.read, { ...callOf(context), params: { projectId } }),
    refetchInterval: readEvery(homeReadEvery),
  })
}

/** The aggregated values of all edges. */
export const useFleetValues = (projectId: string) =>
  useQuery({
    queryKey: ['home-values', projectId],
    queryFn: (context) => api(edgeValueEndpoints.fleet, { ...callOf(context), params: { projectId } }),
    staleTime: valuesReadEvery,
    refetchInterval: readEvery(valuesReadEvery),
  })

function followHome(projectId: string, label: string): () => void {
  const read = oneAtATime(async () => {
    await readAgain(queryClient, keyOf(projectId))
    await new Promise((resolve) => setTimeout(resolve, readsApart))
  })
  const stops = liveTopics.map((topic) =>
    subscribe(`/projects/${projectId}/${topic}`, (news) => {
      if (news.kind === 'event' && news.name === 'task:state') showProgress(projectId, news.data)
      else if (news.kind === 'event') read()
    }),
  )
  stops.push(
    subscribe('projects', (news) => {
      const change = news.kind === 'event' ? collectionChange.safeParse(news.data).data : undefined
      if (change?.id !== projectId) return
      // The page reloads with another project and then reports the removal.
      if (change.op === 'remove') storage.goneProject.write(label)
      else read()
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

const progressEvent = z.object({ tasks: z.array(taskUpdate) })

/** Updates the progress of shown tasks in the cache, without a request. */
function showProgress(projectId: string, data: unknown): void {
  const event = progressEvent.safeParse(data)
  if (!event.success) return
  const updates = new Map(event.data.tasks.map((update) => [update._id, update]))
  queryClient.setQueryData<Home>(keyOf(projectId), (home) => {
    if (home === undefined) return home
    const running = home.tasks.running.map((task): Task => {
      const update = updates.get(task._id)
      if (update === undefined || update.revision <= task.revision) return task
      return { ...task, ...update, startedAt: update.startedAt ?? task.startedAt }
    })
    return { ...home, tasks: { ...home.tasks, running } }
  })
}

/** An action of a row. It stays pending until home has been refetched, because that may remove the row. */
function useAction<Input, Result>(projectId: string, act: (input: Input) => Promise<Result>) {
  return useMutation({ mutationFn: act, onSettled: () => readAgain(queryClient, keyOf(projectId)) })
}

export const useDiagnose = (projectId: string) =>
  useAction(projectId, (edgeId: string) => api(edgeEndpoints.diagnose, { params: { projectId, edgeId } }))

export const useRestart = (projectId: string) =>
  useAction(projectId, ({ edgeId, programId }: { edgeId: string; programId: string }) =>
    api(edgeEndpoints.restart, { params: { projectId, edgeId }, body: { instance: programId } }),
  )

export const useRetry = (projectId: string) =>
  useAction(projectId, (taskId: string) => api(taskEndpoints.retry, { params: { projectId, taskId } }))

export const useArchive = (projectId: string) =>
  useAction(projectId, (taskId: string) => api(taskEndpoints.archive, { params: { projectId, taskId } }))

export const useRestoreTask = (projectId: string) =>
  useAction(projectId, (taskId: string) => api(taskEndpoints.restore, { params: { projectId, taskId } }))

export const useResend = (projectId: string) =>
  useAction(projectId, (invitationId: string) =>
    api(projectEndpoints.resendInvitation, { params: { projectId, invitationId } }),
  )

export function useLog(projectId: string, taskId: string) {
  return useQuery({
    queryKey: [...keyOf(projectId), 'log', taskId],
    queryFn: async (context) =>
      (await api(taskEndpoints.log, { ...callOf(context), params: { projectId, taskId } })).items,
  })
}
