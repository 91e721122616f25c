import type { Task } from '@pult/contract'
import { titleInWords } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

/**
 * Returns the title of a task in the language of the console: `Export: Hall 3`, `Neustart: Player`. A title from an
 * extension's service stays unchanged.
 *
 * @example const title = useTaskTitle(task)
 */
export const useTaskTitle = (task: Pick<Task, 'type' | 'title'>): string => titleInWords(task, useTaskTexts())
