import type { Task } from '@pult/contract'
import { isOfServer, typeInWords, useTaskTexts } from '@pult/sdk/task-list'
import { creatorOf } from './creator-of.ts'

/** The service that runs a task, unless its title names it, and the user who requested it. */
export function TaskOrigin({ task }: { task: Pick<Task, 'type' | 'createdBy'> }) {
  const texts = useTaskTexts()
  return isOfServer(task.type, texts) ? creatorOf(task) : `${typeInWords(task.type)} · ${creatorOf(task)}`
}
