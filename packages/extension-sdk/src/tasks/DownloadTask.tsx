import { apiBase, type Task } from '@pult/contract'
import { Alert, ButtonLink } from '@pult/ui'
import Download from 'lucide-react/icons/download'
import type { MouseEvent } from 'react'
import styles from './DownloadTask.module.css'
import { useDownloadResult } from './download-result.ts'
import { TaskProgress } from './TaskProgress.tsx'
import { isOpen } from './task-list.ts'
import { failureOf } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

export interface DownloadTaskProps {
  /** One whose kind is `download-generation`. */
  task: Task
}

/**
 * A file that a task makes: how far it is, then a link with which the browser downloads it, or why there is none.
 *
 * @example const { task } = useTask(taskId); return task && <DownloadTask task={task} />
 */
export function DownloadTask({ task }: DownloadTaskProps) {
  const texts = useTaskTexts()
  const failure = failureOf(task, texts)
  if (isOpen(task)) {
    return (
      <div className={styles.preparing}>
        <span role="status">{texts.preparing}</span>
        <TaskProgress task={task} />
      </div>
    )
  }
  if (failure !== null) return <Alert tone="danger">{failure}</Alert>
  return <ResultLink task={task} />
}

/** What the link points at is made when somebody follows it, and good for a short time. */
function ResultLink({ task }: DownloadTaskProps) {
  const texts = useTaskTexts()
  const { download } = useDownloadResult(task)
  const { fileUrl = '', fileName, info } = task.state
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    download()
  }
  return (
    <div className={styles.ready}>
      <ButtonLink
        href={apiBase + fileUrl}
        download={fileName}
        icon={<Download aria-hidden="true" />}
        onClick={follow}
      >
        {texts.download(fileName ?? task.title)}
      </ButtonLink>
      {info !== undefined && <span className={styles.info}>{info}</span>}
    </div>
  )
}
