import type { Project, Task } from '@pult/contract'
import { useTaskTitle } from '@pult/sdk/tasks'
import { IconButton } from '@pult/ui'
import ScrollText from 'lucide-react/icons/scroll-text'
import { memo } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { RetryTask } from './RetryTask.tsx'
import { TaskAction } from './TaskAction.tsx'
import { TaskOrigin } from './TaskOrigin.tsx'
import { TaskResult } from './TaskResult.tsx'
import styles from './TaskRow.module.css'
import { TaskStatus } from './TaskStatus.tsx'
import { TaskTimes } from './TaskTimes.tsx'
import { mayEnd, useListedTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

interface TaskRowProps {
  project: Project
  taskId: string
  onAbort: (task: Task) => void
  onArchived: () => void
  onDetails: (taskId: string) => void
}

/** One task of the panel. Memoised, so that it renders only when this task changes. */
export const TaskRow = memo(function TaskRow({
  project,
  taskId,
  onAbort,
  onArchived,
  onDetails,
}: TaskRowProps) {
  const task = useListedTask(project._id, taskId)
  const credentials = useCredentials()
  const title = useTaskTitle(task ?? { type: '', title: '' })
  if (task === undefined) return null
  return (
    <div className={styles.task}>
      <span className={styles.head}>
        <span className={styles.title} title={title}>
          {title}
        </span>
        <IconButton
          label={texts.details(title)}
          icon={<ScrollText aria-hidden="true" />}
          onClick={() => onDetails(taskId)}
        />
        {mayEnd(task, credentials, project) && (
          <>
            <RetryTask task={task} />
            <TaskAction task={task} onAbort={onAbort} onArchived={onArchived} />
          </>
        )}
      </span>
      <span className={styles.facts}>
        <TaskStatus task={task} />
        <span className={styles.what}>
          <TaskOrigin task={task} />
        </span>
      </span>
      <span className={styles.result}>
        <TaskResult task={task} />
      </span>
      <span className={styles.times}>
        <span>
          <TaskTimes task={task} />
        </span>
      </span>
    </div>
  )
})
