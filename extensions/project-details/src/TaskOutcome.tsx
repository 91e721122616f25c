import { useCall, useProject } from '@pult/sdk'
import { type Task, taskEndpoints } from '@pult/sdk/api'
import { useTaskWords } from '@pult/sdk/tasks'
import { Alert } from '@pult/sdk/ui'
import styles from './ProjectDetails.module.css'
import { texts } from './project-details.texts.ts'

/** A task's outcome: its report and its log. */
export function TaskOutcome({ task }: { task: Task }) {
  const { _id: projectId } = useProject()
  const { _id: taskId, fulfilledAt, isAborted, isTimedOut } = task
  const { infoOf, errorOf, lineOf } = useTaskWords()
  const log = useCall(taskEndpoints.log, fulfilledAt === null ? null : { params: { projectId, taskId } })
  const lines = log.data?.items ?? []
  if (fulfilledAt === null) return null
  const isFinished = !task.isRejected && !isAborted && !isTimedOut
  const report = isFinished
    ? (infoOf(task) ?? texts.taskDone)
    : (errorOf(task) ?? (isAborted ? texts.taskAborted : isTimedOut ? texts.taskTimedOut : texts.taskFailed))
  return (
    <Alert tone={isFinished ? 'success' : 'danger'} title={report}>
      {lines.length > 0 && (
        <ul className={styles.log}>
          {lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- A log is append-only, so indices are stable.
            <li key={index}>{lineOf(line)}</li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
