import type { Task } from '@pult/contract'
import { formatTaskInstant } from '@pult/sdk/tasks'
import { Duration, formatInstant, TimeAgo } from '@pult/ui'

/** The time when a task started, or was requested if it has not, and its duration. */
export function TaskTimes({ task: { createdAt, startedAt, fulfilledAt } }: { task: Task }) {
  return (
    <>
      <TaskInstant at={startedAt ?? createdAt} />
      {startedAt !== null && (
        <>
          {' · '}
          <Duration from={startedAt} to={fulfilledAt} />
        </>
      )}
    </>
  )
}

/** A time of a task. The specification's catalogue writes `dd.MM.yy - HH:mm`, with the full time as its tooltip. */
export function TaskInstant({ at }: { at: string }) {
  if (document.documentElement.lang !== 'de') return <TimeAgo at={at} />
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatTaskInstant(at)}
    </time>
  )
}
