import type { Task } from '@pult/contract'
import { useFormat } from '../use-format.ts'
import styles from './TaskProgress.module.css'
import { shareOf } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

export interface TaskProgressProps {
  task: Pick<Task, 'title' | 'state'>
}

/**
 * Shows the progress of a task: a bar with done and total. A task without a total has an indeterminate bar.
 *
 * @example {task?.fulfilledAt === null && <TaskProgress task={task} />}
 */
export function TaskProgress({ task }: TaskProgressProps) {
  const texts = useTaskTexts()
  const format = useFormat()
  const share = shareOf(task)
  const [done, total] = task.state.progress ?? [0, 0]
  const words = share === null ? undefined : `${format.number(done)} / ${format.number(total)}`
  return (
    <span className={styles.progress}>
      <progress
        className={styles.bar}
        aria-label={texts.progress(task.title)}
        aria-valuetext={words}
        max={1}
        value={share ?? undefined}
      />
      {words !== undefined && (
        <span className={styles.words} aria-hidden="true">
          {words}
        </span>
      )}
    </span>
  )
}
