import type { Task } from '@pult/contract'
import { useMutation } from '@tanstack/react-query'
import { useTask } from './use-tasks.ts'

export interface StartedTask<Input> {
  /** Starts the task. A rejection is in `error`. */
  start: (input: Input) => void
  /** Set while the call that starts the task is running. */
  isStarting: boolean
  /** The last started task; undefined before the first start. */
  task: Task | undefined
  error: Error | null
}

/**
 * Starts a task with a call that returns its `_id`, and follows the task.
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
