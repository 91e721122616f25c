import { type Credentials, type Project, type Task, taskEndpoints } from '@pult/contract'
import {
  isOpen,
  keepTask,
  readOlderTasks,
  type TaskList,
  taskListQuery,
  useFollowedTasks,
} from '@pult/sdk/task-list'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { callOf } from '#platform/query-client.ts'

export const taskFilters = ['all', 'mine', 'running', 'ended'] as const
export type TaskFilter = (typeof taskFilters)[number]

/** Polling interval of a running task's log. Milliseconds. */
const logEvery = 1500

/** The ids of a project's tasks: running ones first, then ended ones, each newest first. */
export function useTaskIds(projectId: string, filter: TaskFilter, personId: string) {
  useFollowedTasks(projectId)
  return useQuery({
    ...taskListQuery(api, projectId),
    select: ({ ids, byId, read }: TaskList) => ({
      ids: runningFirst(
        ids.filter((id) => matches(byId.get(id) as Task, filter, personId)),
        byId,
      ),
      hasEnded: ids.some((id) => !isOpen(byId.get(id) as Task)),
      isEmpty: ids.length === 0,
      hasOlder: read.next !== null,
    }),
  })
}

function runningFirst(ids: readonly string[], byId: TaskList['byId']): string[] {
  const isRunning = (id: string) => isOpen(byId.get(id) as Task)
  return [...ids.filter(isRunning), ...ids.filter((id) => !isRunning(id))]
}

function matches(task: Task, filter: TaskFilter, personId: string): boolean {
  if (filter === 'all') return true
  if (filter === 'mine') return task.createdBy?._id === personId
  return isOpen(task) === (filter === 'running')
}

/** Returns one task of the list. Renders again only when this task changes. */
export function useListedTask(projectId: string, taskId: string): Task | undefined {
  return useQuery({
    ...taskListQuery(api, projectId),
    select: ({ byId }: TaskList) => byId.get(taskId),
  }).data
}

/** Loads the next page of older tasks. */
export function useOlderTasks(projectId: string) {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => readOlderTasks(client, api, projectId) })
}

/** The latest log lines, polled while the log is shown. */
export function useTaskLog(task: Task) {
  const { project: projectId, _id: taskId } = task
  const isRunning = isOpen(task)
  return useQuery({
    // One more read follows the end of the task.
    queryKey: ['tasks', projectId, 'log', taskId, isRunning],
    queryFn: async (context) =>
      (await api(taskEndpoints.log, { ...callOf(context), params: { projectId, taskId } })).items,
    placeholderData: (before) => before,
    ...(isRunning && { refetchInterval: logEvery }),
  })
}

/** The creator of a task, the owner of its project and root may end it (DEC-26). */
export function mayEnd(
  { createdBy }: Pick<Task, 'createdBy'>,
  { _id, isRoot }: Credentials,
  project: Pick<Project, 'owner'> | null,
): boolean {
  return isRoot || createdBy?._id === _id || project?.owner === _id
}

/** Ends or repeats tasks and then refetches the lists of own tasks. */
function useEnding<Input, Result>(
  end: (input: Input) => Promise<Result>,
  keep: (result: Result) => void = () => {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: keep,
    onSettled: () => client.invalidateQueries({ queryKey: ['tasks', 'mine'] }),
  })
}

const paramsOf = ({ project: projectId, _id: taskId }: Task) => ({ projectId, taskId })

export function useAbortTask() {
  const client = useQueryClient()
  return useEnding(
    (task: Task) => api(taskEndpoints.abort, { params: paramsOf(task) }),
    (ended) => keepTask(client, api, ended),
  )
}

/** Starts a failed task again. Its row loses the button with the event of the topic. */
export const useRetryTask = () =>
  useEnding((task: Task) => api(taskEndpoints.retry, { params: paramsOf(task) }))

export const useArchiveTask = () =>
  useEnding((task: Task) => api(taskEndpoints.archive, { params: paramsOf(task) }))

export const useRestoreTask = () =>
  useEnding((task: Task) => api(taskEndpoints.restore, { params: paramsOf(task) }))

interface Archiving {
  projectId: string
  archivingId: string
}

export const useArchiveEnded = () =>
  useEnding(({ projectId, archivingId }: Archiving) =>
    api(taskEndpoints.archiveEnded, { params: { projectId }, query: { archivingId } }),
  )

export const useRestoreEnded = () =>
  useEnding((params: Archiving) => api(taskEndpoints.restoreEnded, { params }))
