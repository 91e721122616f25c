import type { Task } from '@pult/sdk/api'
import { useTaskTitle, useTaskWords } from '@pult/sdk/tasks'
import { ScrollRegion, Spinner, StateChip } from '@pult/sdk/ui'
import { useEffect, useRef } from 'react'
import styles from './edges.module.css'
import { useEdgeTask } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** The log of a running task, scrolled to its newest line. */
export function TaskLog({ taskId }: { taskId: string }) {
  const { task, lines } = useEdgeTask(taskId)
  const log = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const isShown = task !== undefined
  // The button that started the task may be far above its log.
  useEffect(() => {
    if (isShown) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [lines.length])
  const title = useTaskTitle(task ?? { type: '', title: '' })
  if (task === undefined) return null
  return (
    <div ref={box} className={styles.task}>
      <p className={styles.taskHead} role="status">
        <strong>{title}</strong>
        <TaskEnd task={task} />
      </p>
      <ScrollRegion ref={log} className={styles.log} role="log" aria-label={texts.taskOf(title)}>
        {lines.length === 0 && task.fulfilledAt === null && texts.taskWaiting}
        {lines.map(({ line, key }) => (
          <span key={key} className={styles.line} data-problem={line.startsWith('Problem:') || undefined}>
            {line}
          </span>
        ))}
      </ScrollRegion>
    </div>
  )
}

function TaskEnd({ task }: { task: Task }) {
  const { errorOf, infoOf } = useTaskWords()
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
        <StateChip plain status="failed">
          {texts.taskFailed}
        </StateChip>
        <span>{errorOf(task) ?? texts.taskFault}</span>
      </>
    )
  return (
    <>
      <StateChip plain status="ok">
        {texts.taskDone}
      </StateChip>
      <span>{infoOf(task)}</span>
    </>
  )
}
