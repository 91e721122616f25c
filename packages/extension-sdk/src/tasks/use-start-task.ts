import type { Task } from '@pult/contract'
import { useMutation } from '@tanstack/react-query'
import { useTask } from './use-tasks.ts'

export interface StartedTask<Input> {
  /** Starts the task. A rejection is in `error`. */
  start: (input: Input) => void
  /** The call that begins it is on its way. */
  isStarting: boolean
  /** The task started last; undefined before. */
  task: Task | undefined
  error: Error | null
}

/**
 * Begins a task with a call that answers its `_id`, and follows it from then on.
 *
 * @example
 * const backend = useBackend()
 * const { start, task, isStarting } = useStartTask((label: string) => backend(renderEndpoint, { body: { label } }))
 * <Button pending={isStarting} onClick={() => start('Opening')}>Render</Button>
 * {task && <DownloadTask task={task} />}
 */
export function useStartTask<Input = void>(
  begin: (input: Input) => Promise<{ _id: string }>,
): StartedTask<Input> {
  const { mutate, data, isPending, error } = useMutation({ mutationFn: begin })
  const followed = useTask(data?._id ?? null)
  return { start: mutate, isStarting: isPending, task: followed.task, error: error ?? followed.error }
}
