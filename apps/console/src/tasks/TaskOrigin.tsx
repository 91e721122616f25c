import type { Task } from '@pult/contract'
import { isOfServer, useTaskTexts } from '@pult/sdk/task-list'
import { creatorOf } from './creator-of.ts'
import { useTaskKind } from './use-task-kind.ts'

/** The kind of a task, unless its title names it, and the user who requested it. */
export function TaskOrigin({ task }: { task: Pick<Task, 'type' | 'createdBy' | 'service'> }) {
  const texts = useTaskTexts()
  const kind = useTaskKind(task.type)
  return isOfServer(task.type, texts) ? creatorOf(task) : `${kind} · ${creatorOf(task)}`
}
