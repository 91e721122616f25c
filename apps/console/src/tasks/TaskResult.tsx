import { apiBase, type Task } from '@pult/contract'
import { failureOf, isOpen, useDownloadResult, useTaskTexts } from '@pult/sdk/task-list'
import { outcomeOf, TaskProgress } from '@pult/sdk/tasks'
import { Link } from '@pult/ui'
import Download from 'lucide-react/icons/download'
import type { MouseEvent } from 'react'
import styles from './TaskResult.module.css'
import { texts } from './tasks.texts.ts'

/** In one line how far a task is, or what came of it: why it failed, the way to its file, its report. */
export function TaskResult({ task }: { task: Task }) {
  const failure = failureOf(task, useTaskTexts())
  const { info, fileUrl } = task.state
  if (isOpen(task)) {
    return (
      <span className={styles.line}>
        <TaskProgress task={task} />
        {info !== undefined && <Said text={info} />}
      </span>
    )
  }
  if (failure !== null) {
    // The state has said the other ends already.
    const isSaid = outcomeOf(task) !== 'failed' && outcomeOf(task) !== 'finished'
    return isSaid ? info !== undefined && <Said text={info} /> : <Said text={failure} isFailure />
  }
  return (
    <span className={styles.line}>
      {fileUrl !== undefined && <ResultLink task={task} />}
      {info !== undefined && <Said text={info} />}
    </span>
  )
}

function Said({ text, isFailure = false }: { text: string; isFailure?: boolean }) {
  return (
    <span className={isFailure ? styles.failure : styles.info} title={text}>
      {text}
    </span>
  )
}

function ResultLink({ task }: { task: Task }) {
  const { download } = useDownloadResult(task)
  const { fileUrl = '', fileName = task.title } = task.state
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    download()
  }
  return (
    <Link
      className={styles.link}
      href={apiBase + fileUrl}
      download={fileName}
      aria-label={texts.downloadOf(fileName)}
      onClick={follow}
    >
      <Download aria-hidden="true" />
      <span>{fileName}</span>
    </Link>
  )
}
