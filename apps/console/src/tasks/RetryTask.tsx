import type { Task } from '@pult/contract'
import { useTaskTitle } from '@pult/sdk/tasks'
import { Button } from '@pult/ui'
import { notify } from '#platform/notify.ts'
import { useRetryTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** Retries a failed task. Renders nothing for other tasks, or if the server no longer has the task's input. */
export function RetryTask({ task }: { task: Task }) {
  const { mutateAsync: retry, isPending } = useRetryTask()
  const title = useTaskTitle(task)
  if (!task.canRetry) return null
  const retryIt = async () => {
    try {
      await retry(task)
      notify.success(texts.retried(title))
    } catch (error) {
      notify.error(texts.retryFailed, error)
    }
  }
  return (
    <Button aria-label={texts.retryOf(title)} pending={isPending} onClick={() => void retryIt()}>
      {texts.retry}
    </Button>
  )
}
