import type { Task } from '@pult/contract'
import { isOfServer, typeInWords, useTaskTexts } from '@pult/sdk/task-list'
import { creatorOf } from './creator-of.ts'

/** What does a task, where its title does not say so already, and who wanted it. */
export function TaskOrigin({ task }: { task: Pick<Task, 'type' | 'createdBy'> }) {
  const texts = useTaskTexts()
  return isOfServer(task.type, texts) ? creatorOf(task) : `${typeInWords(task.type)} · ${creatorOf(task)}`
}
