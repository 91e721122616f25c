import type { Task } from '@pult/contract'
import { formatTaskInstant } from '@pult/sdk/tasks'
import { Duration, formatInstant } from '@pult/ui'

/** The time when a task started, or was requested if it has not, as `dd.MM.yy - HH:mm`, and its duration in seconds. */
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

/** `dd.MM.yy - HH:mm`, with the full time as its tooltip. */
export function TaskInstant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatTaskInstant(at)}
    </time>
  )
}
