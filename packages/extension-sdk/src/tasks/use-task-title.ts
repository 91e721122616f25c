import type { Task } from '@pult/contract'
import { titleInWords } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

/**
 * The title of a task in the language of the console: `Export: Hall 3`, `Neustart: Player`. A title given by an
 * extension's service stays as it is.
 *
 * @example const title = useTaskTitle(task)
 */
export const useTaskTitle = (task: Pick<Task, 'type' | 'title'>): string => titleInWords(task, useTaskTexts())
