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

/** How often the log of a task that goes on is read, in milliseconds. */
const logEvery = 1500

/** The ids of a project's tasks: what goes on, then what has ended, both the newest first. */
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
  const goesOn = (id: string) => isOpen(byId.get(id) as Task)
  return [...ids.filter(goesOn), ...ids.filter((id) => !goesOn(id))]
}

function matches(task: Task, filter: TaskFilter, personId: string): boolean {
  if (filter === 'all') return true
  if (filter === 'mine') return task.createdBy?._id === personId
  return isOpen(task) === (filter === 'running')
}

/** One task of the list; renders again when this one changes. */
export function useListedTask(projectId: string, taskId: string): Task | undefined {
  return useQuery({
    ...taskListQuery(api, projectId),
    select: ({ byId }: TaskList) => byId.get(taskId),
  }).data
}

/** Reads what is older than the list has. */
export function useOlderTasks(projectId: string) {
  const client = useQueryClient()
  return useMutation({ mutationFn: () => readOlderTasks(client, api, projectId) })
}

/** What it has logged last, as long as it is shown. */
export function useTaskLog(task: Task) {
  const { project: projectId, _id: taskId } = task
  const isRunning = isOpen(task)
  return useQuery({
    // Once more after its end.
    queryKey: ['tasks', projectId, 'log', taskId, isRunning],
    queryFn: async (context) =>
      (await api(taskEndpoints.log, { ...callOf(context), params: { projectId, taskId } })).items,
    placeholderData: (before) => before,
    ...(isRunning && { refetchInterval: logEvery }),
  })
}

/** The creator of a task, the owner of its project and root end it: DEC-26. */
export function mayEnd(
  { createdBy }: Pick<Task, 'createdBy'>,
  { _id, isRoot }: Credentials,
  project: Pick<Project, 'owner'> | null,
): boolean {
  return isRoot || createdBy?._id === _id || project?.owner === _id
}

/** Tasks whose end somebody asked for are read again wherever they are listed. */
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

export const useArchiveTask = () =>
  useEnding((task: Task) => api(taskEndpoints.archive, { params: paramsOf(task) }))

export const useArchiveEnded = () =>
  useEnding((projectId: string) => api(taskEndpoints.archiveEnded, { params: { projectId } }))
