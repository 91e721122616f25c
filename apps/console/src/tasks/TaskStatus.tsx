import type { Task } from '@pult/contract'
import { useTaskTexts } from '@pult/sdk/task-list'
import { outcomeOf, type TaskOutcome } from '@pult/sdk/tasks'
import { type Status, StatusDot } from '@pult/ui'

const statuses: Record<TaskOutcome, Status> = {
  waiting: 'neutral',
  running: 'info',
  finished: 'success',
  failed: 'danger',
  timedOut: 'warning',
  aborted: 'neutral',
}

/** How a task stands, as a shape and a word. */
export function TaskStatus({ task }: { task: Task }) {
  const outcome = outcomeOf(task)
  return <StatusDot status={statuses[outcome]}>{useTaskTexts()[outcome]}</StatusDot>
}
