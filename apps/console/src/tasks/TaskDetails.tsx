import type { Project, Task } from '@pult/contract'
import { failureOf, isOpen, titleInWords, useTaskTexts } from '@pult/sdk/task-list'
import { Alert, EmptyState, IconButton, TimeAgo } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { creatorOf } from './creator-of.ts'
import { RetryTask } from './RetryTask.tsx'
import { TaskAction } from './TaskAction.tsx'
import styles from './TaskDetails.module.css'
import { TaskLog } from './TaskLog.tsx'
import { TaskResult } from './TaskResult.tsx'
import { TaskStatus } from './TaskStatus.tsx'
import { TaskInstant, TaskTimes } from './TaskTimes.tsx'
import { mayEnd, useListedTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'
import { useTaskKind } from './use-task-kind.ts'

interface TaskDetailsProps {
  project: Project
  taskId: string
  onAbort: (task: Task) => void
  onBack: () => void
}

/** The details and log of one task. */
export function TaskDetails({ project, taskId, onAbort, onBack }: TaskDetailsProps) {
  const task = useListedTask(project._id, taskId)
  const credentials = useCredentials()
  const taskTexts = useTaskTexts()
  return (
    <>
      <header className={styles.header}>
        <IconButton autoFocus label={texts.back} icon={<ArrowLeft aria-hidden="true" />} onClick={onBack} />
        <h2 className={styles.title}>{task ? titleInWords(task, taskTexts) : texts.gone}</h2>
        {task && mayEnd(task, credentials, project) && (
          <>
            <RetryTask task={task} />
            <TaskAction task={task} onAbort={onAbort} onArchived={onBack} />
          </>
        )}
      </header>
      {task ? (
        <div className={styles.details}>
          <Facts task={task} />
          <TaskLog task={task} />
        </div>
      ) : (
        <EmptyState level={3} title={texts.gone} text={texts.goneText} />
      )}
    </>
  )
}

function Facts({ task }: { task: Task }) {
  const failure = failureOf(task, useTaskTexts())
  return (
    <>
      {failure !== null && task.isRejected && <Alert tone="danger">{failure}</Alert>}
      <dl className={styles.facts}>
        <Fact name={texts.state}>
          <TaskStatus task={task} />
        </Fact>
        {!task.isRejected && (
          <Fact name={isOpen(task) ? texts.progress : texts.result}>
            <TaskResult task={task} />
          </Fact>
        )}
        <Fact name={texts.type}>{useTaskKind(task.type)}</Fact>
        <Fact name={texts.by}>{creatorOf(task)}</Fact>
        <Fact name={texts.created}>
          <TimeAgo at={task.createdAt} />
        </Fact>
        <Fact name={texts.started}>
          {task.startedAt === null ? texts.notStarted : <TaskTimes task={task} />}
        </Fact>
        {task.fulfilledAt === null ? (
          <Fact name={texts.deadline}>
            <TaskInstant at={task.deadlineAt} />
          </Fact>
        ) : (
          <Fact name={texts.ended}>
            <TaskInstant at={task.fulfilledAt} />
          </Fact>
        )}
      </dl>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
