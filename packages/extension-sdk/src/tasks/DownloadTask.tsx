import type { Task } from '@pult/contract'
import { Alert, ButtonLink } from '@pult/ui'
import Download from 'lucide-react/icons/download'
import styles from './DownloadTask.module.css'
import { useResultLink } from './download-result.ts'
import { TaskProgress } from './TaskProgress.tsx'
import { isOpen } from './task-list.ts'
import { failureOf, infoOf } from './task-words.ts'
import { useTaskTexts } from './tasks.texts.ts'

export interface DownloadTaskProps {
  /** A task of the kind `download-generation`. */
  task: Task
}

/**
 * Shows the file of a task: its progress, then a download link, or the reason why the task created no file.
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

function ResultLink({ task }: DownloadTaskProps) {
  const texts = useTaskTexts()
  const href = useResultLink(task)
  const { fileName = task.title } = task.state
  const info = infoOf(task, texts)
  return (
    <div className={styles.ready}>
      {href === undefined ? (
        fileName
      ) : (
        <ButtonLink href={href} download={fileName} title={fileName} icon={<Download aria-hidden="true" />}>
          {texts.download(fileName)}
        </ButtonLink>
      )}
      {info !== undefined && <span className={styles.info}>{info}</span>}
    </div>
  )
}
