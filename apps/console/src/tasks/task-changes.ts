import type { TaskKindName } from '@pult/contract'
import { isOpen, type TaskList } from '@pult/sdk/task-list'
import { outcomeOf } from '@pult/sdk/tasks'

export type Notice = 'created' | 'finished' | 'failed' | 'timedOut' | 'aborted'

/** What has become of a task. */
export interface TaskChange {
  _id: string
  notice: Notice
  title: string
  kind: TaskKindName
}

/**
 * What somebody is told of their own tasks between two states of the list.
 *
 * @param since The newest task when the page opened. Of the older ones only their end is news, not that they were read.
 */
export function changesBetween(
  before: TaskList,
  after: TaskList,
  { personId, since }: { personId: string; since: string },
): TaskChange[] {
  const changes: TaskChange[] = []
  for (const task of after.byId.values()) {
    const known = before.byId.get(task._id)
    if (known === task || task.createdBy?._id !== personId) continue
    const isNews = known === undefined ? task._id > since : isOpen(known) && !isOpen(task)
    if (!isNews) continue
    const outcome = outcomeOf(task)
    const notice = outcome === 'waiting' || outcome === 'running' ? 'created' : outcome
    changes.push({ _id: task._id, notice, title: task.title, kind: task.kind })
  }
  return changes
}
