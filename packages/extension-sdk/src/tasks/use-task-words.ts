import type { Task, TaskLogLine } from '@pult/contract'
import { errorOf, infoOf, lineOf } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

export interface TaskWords {
  /** The status of a running task, or the report of an ended one. */
  infoOf: (task: Pick<Task, 'state'>) => string | undefined
  errorOf: (task: Pick<Task, 'error' | 'errorMessage'>) => string | null
  lineOf: (line: Pick<TaskLogLine, 'line' | 'message'>) => string
}

/**
 * Returns functions for the texts of tasks in the language of the console. Texts from an extension's service stay
 * unchanged.
 *
 * @example const { infoOf } = useTaskWords(); return <p>{infoOf(task)}</p>
 */
export function useTaskWords(): TaskWords {
  const texts = useTaskTexts()
  return {
    infoOf: (task) => infoOf(task, texts),
    errorOf: (task) => errorOf(task, texts),
    lineOf: (line) => lineOf(line, texts),
  }
}
