import type { Task } from '@pult/contract'
import { failureOf, shareOf, useTaskTexts } from '@pult/sdk/task-list'
import { useTaskTitle } from '@pult/sdk/tasks'
import { AppTile, Avatar, DataCard, Elapsed, Link, Progress, StatusShape } from '@pult/ui'
import Bot from 'lucide-react/icons/bot'
import { texts } from '#platform/desk/desk.texts.ts'
import type { HomePartProps } from './home-part.ts'
import styles from './TasksCard.module.css'

const words = texts.home
const shownAtMost = 5

/** Running tasks with their progress, and those that failed today. */
export function TasksCard({ home, state }: HomePartProps) {
  const tasks = home?.tasks
  const running = tasks?.running.slice(0, shownAtMost) ?? []
  const failed = tasks?.failed.slice(0, shownAtMost) ?? []
  const counts = [
    tasks && tasks.runningTotal > 0 && words.running(tasks.runningTotal),
    tasks && tasks.failedTotal > 0 && words.failedToday(tasks.failedTotal),
  ].filter(Boolean)
  const hidden = (tasks?.runningTotal ?? 0) - running.length
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
      {running.length === 0 && failed.length === 0 ? (
        <p className={styles.none}>{words.nothingRuns}</p>
      ) : (
        <ul aria-label={words.tasks}>
          {running.map((task) => (
            <RunningTask key={task._id} task={task} />
          ))}
          {hidden > 0 && <li className={styles.more}>{texts.more(hidden)}</li>}
          {failed.map((task) => (
            <FailedTask key={task._id} task={task} />
          ))}
        </ul>
      )}
    </DataCard>
  )
}

function RunningTask({ task }: { task: Task }) {
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
      <span className={styles.time}>
        {share !== null && `${Math.round(share * 100)} % · `}
        {task.startedAt === null ? words.waiting : <Elapsed since={task.startedAt} />}
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
        <Elapsed since={task.fulfilledAt ?? task.createdAt} />
      </span>
    </li>
  )
}
