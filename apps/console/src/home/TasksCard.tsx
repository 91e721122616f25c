import type { Task } from '@pult/contract'
import { failureOf, shareOf, useTaskTexts } from '@pult/sdk/task-list'
import { useTaskTitle } from '@pult/sdk/tasks'
import {
  AppTile,
  Avatar,
  DataCard,
  Elapsed,
  IconButton,
  Link,
  Progress,
  StatusShape,
  TimeAgo,
} from '@pult/ui'
import Bot from 'lucide-react/icons/bot'
import X from 'lucide-react/icons/x'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { texts } from '#platform/desk/desk.texts.ts'
import { OpenJobs } from '#platform/open-jobs/OpenJobs.tsx'
import { useOpenJobs } from '#platform/open-jobs/open-jobs.queries.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { mayEnd } from '../tasks/tasks.queries.ts'
import type { HomePartProps, LoadAbort } from './home-part.ts'
import styles from './TasksCard.module.css'

const words = texts.home
const shownAtMost = 5

interface AbortDialogProps {
  /** A new object for each question, so that the dialog opens again for the same task. */
  asked: { task: Task }
}

/** The confirmation dialog of the tasks before an abort. Its code loads on first use. */
const abortDialogOf = (load: LoadAbort) =>
  lazy(async () => {
    const { useAbortDialog } = await load()
    function AbortDialog({ asked }: AbortDialogProps) {
      const { ask, dialog } = useAbortDialog()
      const open = useEffectEvent(ask)
      useEffect(() => open(asked.task), [asked])
      return dialog
    }
    return { default: AbortDialog }
  })

/** Running jobs and tasks with their progress, and tasks that failed within 24 hours. */
export function TasksCard({ project, home, state, loadAbort }: HomePartProps & { loadAbort: LoadAbort }) {
  const credentials = useCredentials()
  const [AbortDialog] = useState(() => abortDialogOf(loadAbort))
  const [asked, setAsked] = useState<AbortDialogProps['asked'] | null>(null)
  const tasks = home?.tasks
  const jobs = useOpenJobs(project._id, home?.fleet != null)
  const running = tasks?.running.slice(0, shownAtMost) ?? []
  const failed = tasks?.failed.slice(0, shownAtMost) ?? []
  const counts = [
    tasks && tasks.runningTotal + jobs.length > 0 && words.running(tasks.runningTotal + jobs.length),
    tasks && tasks.failedTotal > 0 && words.failedLately(tasks.failedTotal),
  ].filter(Boolean)
  const hiddenRunning = (tasks?.runningTotal ?? 0) - running.length
  const hiddenFailed = (tasks?.failedTotal ?? 0) - failed.length
  return (
    <DataCard
      flush
      title={words.tasks}
      {...(counts.length > 0 && { detail: counts.join(' · ') })}
      action={
        <Link className={styles.all} href="/tasks">
          {words.allTasks}
        </Link>
      }
      state={state}
    >
      {running.length === 0 && failed.length === 0 && jobs.length === 0 ? (
        <p className={styles.none}>{words.nothingRuns}</p>
      ) : (
        <ul aria-label={words.tasks}>
          <OpenJobs jobs={jobs.slice(0, shownAtMost)} />
          {jobs.length > shownAtMost && <More count={jobs.length - shownAtMost} href="/app/edges/jobs" />}
          {running.map((task) => (
            <RunningTask
              key={task._id}
              task={task}
              onAbort={mayEnd(task, credentials, project) ? () => setAsked({ task }) : undefined}
            />
          ))}
          {hiddenRunning > 0 && <More count={hiddenRunning} href="/tasks?state=open" />}
          {failed.map((task) => (
            <FailedTask key={task._id} task={task} />
          ))}
          {hiddenFailed > 0 && <More count={hiddenFailed} href="/tasks?state=failed" />}
        </ul>
      )}
      {asked && (
        <Suspense fallback={null}>
          <AbortDialog asked={asked} />
        </Suspense>
      )}
    </DataCard>
  )
}

const More = ({ count, href }: { count: number; href: string }) => (
  <li className={styles.rest}>
    <Link className={styles.restLink} href={href}>
      {texts.more(count)}
    </Link>
  </li>
)

interface RunningTaskProps {
  task: Task
  /** Undefined if the user may not end the task. */
  onAbort: (() => void) | undefined
}

function RunningTask({ task, onAbort }: RunningTaskProps) {
  const title = useTaskTitle(task)
  const share = shareOf(task)
  const { createdBy } = task
  return (
    <li className={styles.task}>
      {createdBy === null ? (
        <AppTile id="machine" tint="slate" size="small" icon={<Bot />} />
      ) : (
        <Avatar id={createdBy._id} name={`${createdBy.firstname} ${createdBy.lastname}`} />
      )}
      <span className={styles.title} title={title}>
        {title}
      </span>
      <span className={styles.end}>
        <span className={styles.time}>
          {share !== null && `${words.values.percent(Math.round(share * 100))} · `}
          {task.startedAt === null ? words.waiting : <Elapsed since={task.startedAt} />}
        </span>
        {onAbort && (
          <IconButton
            className={styles.abort}
            label={words.abortOf(title)}
            icon={<X aria-hidden="true" />}
            onClick={onAbort}
          />
        )}
      </span>
      <span className={styles.bar}>
        <Progress label={title} value={share === null ? null : share * 100} />
      </span>
    </li>
  )
}

function FailedTask({ task }: { task: Task }) {
  const title = useTaskTitle(task)
  const reason = failureOf(task, useTaskTexts())
  return (
    <li className={styles.task}>
      <StatusShape status="failed" label={texts.severity.failed} />
      <span className={styles.title} title={reason === null ? title : `${title}: ${reason}`}>
        {title}
      </span>
      <span className={styles.time}>
        <TimeAgo at={task.fulfilledAt ?? task.createdAt} />
      </span>
    </li>
  )
}
