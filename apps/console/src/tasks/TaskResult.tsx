import type { Task } from '@pult/contract'
import { errorOf, failureOf, infoOf, isOpen, useResultLink, useTaskTexts } from '@pult/sdk/task-list'
import { outcomeOf, TaskProgress } from '@pult/sdk/tasks'
import { Link } from '@pult/ui'
import Download from 'lucide-react/icons/download'
import styles from './TaskResult.module.css'
import { texts } from './tasks.texts.ts'

/**
 * Shows in one line the progress of a task, or its outcome: the reason of a failure, the link to its file, its report.
 */
export function TaskResult({ task }: { task: Task }) {
  const taskTexts = useTaskTexts()
  const failure = failureOf(task, taskTexts)
  const info = infoOf(task, taskTexts)
  const error = errorOf(task, taskTexts)
  const { fileName } = task.state
  if (isOpen(task)) {
    return (
      <span className={styles.line}>
        <TaskProgress task={task} />
        {info !== undefined && <Line text={info} />}
      </span>
    )
  }
  if (failure !== null) {
    // The state already names the other outcomes.
    const isInState = outcomeOf(task) !== 'failed' && outcomeOf(task) !== 'finished'
    return isInState ? info !== undefined && <Line text={info} /> : <Line text={failure} isFailure />
  }
  return (
    <span className={styles.line}>
      {fileName !== undefined && <ResultLink task={task} fileName={fileName} />}
      {error !== null && <Line text={error} isFailure />}
      {info !== undefined && <Line text={info} />}
    </span>
  )
}

function Line({ text, isFailure = false }: { text: string; isFailure?: boolean }) {
  return (
    <span className={isFailure ? styles.failure : styles.info} title={text}>
      {text}
    </span>
  )
}

function ResultLink({ task, fileName }: { task: Task; fileName: string }) {
  const href = useResultLink(task)
  if (href === undefined) return <Line text={fileName} />
  return (
    <Link className={styles.link} href={href} download={fileName} aria-label={texts.downloadOf(fileName)}>
      <Download aria-hidden="true" />
      <span>{fileName}</span>
    </Link>
  )
}
