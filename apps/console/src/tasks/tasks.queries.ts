import { type Credentials, type Project, type Task, taskEndpoints, taskUpdate, z } from '@pult/contract'
import { useCall, useChange, useRun } from '@pult/sdk'
import { readTouched } from '@pult/sdk/host'
import {
  isOpen,
  keepTask,
  readOlderTasks,
  type TaskList,
  taskListQuery,
  useFollowedTasks,
} from '@pult/sdk/task-list'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'

export const taskFilters = ['all', 'mine', 'running', 'ended'] as const
export type TaskFilter = (typeof taskFilters)[number]

/** Polling interval of a running task's log. Milliseconds. */
const logEvery = 1500

/*
 * The list of a project's tasks is not the reply of a call, so it has another query: it contains several pages and
 * all running tasks, and events change it task by task.
 */

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
export const useOlderTasks = (projectId: string) => useRun(() => readOlderTasks(queryClient, api, projectId))

const ofTask = ({ project: projectId, _id: taskId }: Task) => ({ params: { projectId, taskId } })

/** The latest log lines, polled while the log is shown. */
export function useTaskLog(task: Task) {
  const isRunning = isOpen(task)
  const log = useCall(taskEndpoints.log, ofTask(task), isRunning ? { every: logEvery } : {})
  useEffect(() => {
    // One more read follows the end of the task.
    if (isRunning) return () => void readTouched(queryClient, [taskEndpoints.log])
  }, [isRunning])
  return log
}

const progressEvent = z.object({ tasks: z.array(taskUpdate) })

/** Returns tasks with the progress in a `task:state` event. The later revision of a task wins. */
export function withProgress<Listed extends Task>(tasks: readonly Listed[], event: unknown): Listed[] {
  const updates = new Map(progressEvent.safeParse(event).data?.tasks.map((update) => [update._id, update]))
  return tasks.map((task) => {
    const update = updates.get(task._id)
    if (update === undefined || update.revision <= task.revision) return task
    return { ...task, ...update, startedAt: update.startedAt ?? task.startedAt }
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

/** What ending and repeating tasks makes stale. The lists of projects follow their topics. */
const touches = [taskEndpoints.mine]

export const useAbortTask = () =>
  useChange(taskEndpoints.abort, ofTask, {
    touches,
    onSuccess: (ended) => keepTask(queryClient, api, ended),
  })

/** Starts a failed task again. Its row loses the button with the event of the topic. */
export const useRetryTask = () => useChange(taskEndpoints.retry, ofTask, { touches })

export const useArchiveTask = () => useChange(taskEndpoints.archive, ofTask, { touches })

export const useRestoreTask = () => useChange(taskEndpoints.restore, ofTask, { touches })

interface Archiving {
  projectId: string
  archivingId: string
}

export const useArchiveEnded = () =>
  useChange(
    taskEndpoints.archiveEnded,
    ({ projectId, archivingId }: Archiving) => ({ params: { projectId }, query: { archivingId } }),
    { touches },
  )

export const useRestoreEnded = () =>
  useChange(taskEndpoints.restoreEnded, (params: Archiving) => ({ params }), { touches })
