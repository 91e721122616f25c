import type { Task } from '@pult/contract'
import { formatTaskInstant } from '@pult/sdk/tasks'
import { Duration, formatInstant } from '@pult/ui'

/** When a task was begun, or asked for as long as nobody has: `dd.MM.yy - HH:mm`; and the seconds that it took. */
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

/** `dd.MM.yy - HH:mm`; under the pointer in full. */
export function TaskInstant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatTaskInstant(at)}
    </time>
  )
}
