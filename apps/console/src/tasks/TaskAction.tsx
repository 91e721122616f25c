import type { Task } from '@pult/contract'
import { isOpen } from '@pult/sdk/task-list'
import { useTaskTitle } from '@pult/sdk/tasks'
import { Button } from '@pult/ui'
import { showNotification } from '#platform/console-host.ts'
import { notify } from '#platform/notify.ts'
import { useArchiveTask, useRestoreTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

interface TaskActionProps {
  task: Task
  /** Opens the confirmation before an abort. */
  onAbort: (task: Task) => void
  /** Called after the focused row has been removed. */
  onArchived?: () => void
}

/**
 * Abort for a running task, Archive for an ended one. A single button, so that it keeps the focus when the task ends.
 */
export function TaskAction({ task, onAbort, onArchived }: TaskActionProps) {
  const { mutateAsync: archive, isPending } = useArchiveTask()
  const { mutateAsync: restore } = useRestoreTask()
  const title = useTaskTitle(task)
  const archiveIt = async () => {
    try {
      await archive(task)
      showNotification({ title: texts.archived, text: title, tone: 'success', undo: () => restore(task) })
      onArchived?.()
    } catch (error) {
      notify.error(texts.archiveFailed, error)
    }
  }
  const goesOn = isOpen(task)
  return (
    <Button
      variant={goesOn ? 'secondary' : 'ghost'}
      aria-label={goesOn ? texts.abortOf(title) : texts.archiveOf(title)}
      pending={isPending}
      onClick={() => (goesOn ? onAbort(task) : void archiveIt())}
    >
      {goesOn ? texts.abort : texts.archive}
    </Button>
  )
}
