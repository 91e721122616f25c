import type { TaskKindName } from '@pult/contract'
import { isOpen, type TaskList } from '@pult/sdk/task-list'
import { outcomeOf } from '@pult/sdk/tasks'

export type Notice = 'created' | 'finished' | 'failed' | 'timedOut' | 'aborted'

/** A change of a task that the console announces. */
export interface TaskChange {
  _id: string
  notice: Notice
  title: string
  kind: TaskKindName
}

/**
 * Lists the announced changes between two states of the list.
 *
 * @param personId Only tasks that this user started; null for all tasks.
 * @param since The newest task when the page opened. For older tasks only the end is announced.
 */
export function changesBetween(
  before: TaskList,
  after: TaskList,
  { personId, since }: { personId: string | null; since: string },
): TaskChange[] {
  const changes: TaskChange[] = []
  for (const task of after.byId.values()) {
    const known = before.byId.get(task._id)
    if (known === task || (personId !== null && task.createdBy?._id !== personId)) continue
    const isAnnounced = known === undefined ? task._id > since : isOpen(known) && !isOpen(task)
    if (!isAnnounced) continue
    const outcome = outcomeOf(task)
    const notice = outcome === 'waiting' || outcome === 'running' ? 'created' : outcome
    changes.push({ _id: task._id, notice, title: task.title, kind: task.kind })
  }
  return changes
}
