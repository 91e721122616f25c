import type { Task } from '@pult/contract'
import { isOpen } from '@pult/sdk/task-list'
import { useTaskTitle } from '@pult/sdk/tasks'
import { Button } from '@pult/ui'
import { notify } from '#platform/notify.ts'
import { useArchiveTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

interface TaskActionProps {
  task: Task
  /** Aborting asks first. */
  onAbort: (task: Task) => void
  onArchived: () => void
}

/** Abort while a task goes on, Archive afterwards: one button, so that the focus stays when it ends. */
export function TaskAction({ task, onAbort, onArchived }: TaskActionProps) {
  const { mutateAsync: archive, isPending } = useArchiveTask()
  const archiveIt = async () => {
    try {
      await archive(task)
      onArchived()
    } catch (error) {
      notify.error(texts.archiveFailed, error)
    }
  }
  const goesOn = isOpen(task)
  const title = useTaskTitle(task)
  return (
    <Button
      aria-label={goesOn ? texts.abortOf(title) : texts.archiveOf(title)}
      pending={isPending}
      onClick={() => (goesOn ? onAbort(task) : void archiveIt())}
    >
      {goesOn ? texts.abort : texts.archive}
    </Button>
  )
}
