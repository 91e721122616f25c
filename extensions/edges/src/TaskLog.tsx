import type { Task } from '@pult/sdk/api'
import { useTaskTitle } from '@pult/sdk/tasks'
import { Spinner, StatusDot } from '@pult/sdk/ui'
import { useEffect, useRef } from 'react'
import styles from './edges.module.css'
import { useEdgeTask } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** What a task says while it goes on, its newest line in view. */
export function TaskLog({ taskId }: { taskId: string }) {
  const { task, lines } = useEdgeTask(taskId)
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [lines.length])
  const title = useTaskTitle(task ?? { type: '', title: '' })
  if (task === undefined) return null
  return (
    <div className={styles.task}>
      <p className={styles.taskHead} role="status">
        <strong>{title}</strong>
        <TaskEnd task={task} />
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, also by keyboard. */}
      <div ref={log} className={styles.log} role="log" aria-label={texts.taskOf(title)} tabIndex={0}>
        {lines.length === 0 && task.fulfilledAt === null && texts.taskWaiting}
        {lines.map(({ line, key }) => (
          <span key={key} className={styles.line} data-problem={line.startsWith('Problem:') || undefined}>
            {line}
          </span>
        ))}
      </div>
    </div>
  )
}

function TaskEnd({ task }: { task: Task }) {
  if (task.fulfilledAt === null)
    return (
      <span className={styles.running}>
        <Spinner />
        {texts.taskRuns}
      </span>
    )
  if (task.isRejected || task.isTimedOut || task.isAborted)
    return (
      <>
        <StatusDot status="danger">{texts.taskFailed}</StatusDot>
        <span>{task.error ?? texts.taskFault}</span>
      </>
    )
  return (
    <>
      <StatusDot status="success">{texts.taskDone}</StatusDot>
      <span>{task.state.info}</span>
    </>
  )
}
