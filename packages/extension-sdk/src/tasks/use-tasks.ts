import { type Task, taskEndpoints } from '@pult/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../api-error.ts'
import { useCall } from '../data/use-call.ts'
import { useProject } from '../hooks.ts'
import { useConsoleHost } from '../host.ts'
import { followTasks, taskListQuery } from './follow-tasks.ts'

export interface TasksWanted {
  /** Returns only tasks of this type: `show-control/render`. */
  type?: string
  /** Returns only tasks that the user started. */
  own?: boolean
}

export interface Tasks {
  /** Newest first; undefined until they have loaded. */
  tasks: readonly Task[] | undefined
  error: Error | null
}

/**
 * Returns the tasks of the active project that are not archived: all running tasks, and the newest of the ended ones.
 * Live.
 *
 * @example const { tasks = [] } = useTasks({ type: 'show-control/render', own: true })
 */
export function useTasks({ type, own = false }: TasksWanted = {}): Tasks {
  const { _id: projectId } = useProject()
  const { call, credentials } = useConsoleHost()
  useFollowedTasks(projectId)
  const { data, error } = useQuery({
    ...taskListQuery(call, projectId),
    select: ({ ids, byId }) =>
      ids
        .map((id) => byId.get(id) as Task)
        .filter(
          (task) =>
            (type === undefined || task.type === type) && (!own || task.createdBy?._id === credentials._id),
        ),
  })
  return { tasks: data, error }
}

export interface OneTask {
  /** Undefined until it has loaded, and if the project has no such task. */
  task: Task | undefined
  /** Reason of a failed read: NOT_FOUND if the project has no such task. */
  error: Error | null
}

/**
 * Returns a task of the active project. Live. Pass null for no task.
 *
 * @example const { task } = useTask(taskId); return task && <TaskProgress task={task} />
 */
export function useTask(taskId: string | null): OneTask {
  const { _id: projectId } = useProject()
  const { call } = useConsoleHost()
  useFollowedTasks(taskId === null ? null : projectId)
  const list = useQuery({
    ...taskListQuery(call, projectId),
    select: ({ byId }) => (taskId === null ? null : (byId.get(taskId) ?? null)),
    enabled: taskId !== null,
  })
  // Reads a task that is older than the list, or archived.
  const isElsewhere = taskId !== null && list.data === null
  const one = useCall(taskEndpoints.read, isElsewhere ? { params: { projectId, taskId } } : null, {
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
  })
  return { task: (taskId === null ? null : list.data) ?? one.data, error: list.error ?? one.error }
}

/** Runs {@link followTasks} while the calling component is mounted. Null follows no project. */
export function useFollowedTasks(projectId: string | null): void {
  const client = useQueryClient()
  const { call, subscribe } = useConsoleHost()
  useEffect(
    () => (projectId === null ? undefined : followTasks(client, { call, subscribe }, projectId)),
    [client, call, subscribe, projectId],
  )
}
