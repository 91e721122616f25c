import type { Task } from '@pult/contract'
import { useTaskTexts } from '@pult/sdk/task-list'
import { outcomeOf, type TaskOutcome } from '@pult/sdk/tasks'
import { StateChip, type Status } from '@pult/ui'

const statuses: Record<TaskOutcome, Status> = {
  waiting: 'info',
  running: 'ok',
  finished: 'ok',
  failed: 'failed',
  timedOut: 'warning',
  aborted: 'stopped',
}

/** The state of a task as an icon and a word. A finished task with an incomplete result is a warning. */
export function TaskStatus({ task }: { task: Task }) {
  const outcome = outcomeOf(task)
  return (
    <StateChip plain status={outcome === 'finished' && task.error !== null ? 'warning' : statuses[outcome]}>
      {useTaskTexts()[outcome]}
    </StateChip>
  )
}
