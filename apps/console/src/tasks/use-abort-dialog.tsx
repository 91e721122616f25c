import type { Task } from '@pult/contract'
import { titleInWords, useTaskTexts } from '@pult/sdk/task-list'
import { ConfirmDialog } from '@pult/ui'
import { useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { useAbortTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** The question before a task is aborted: what asks it, and the dialog. */
export function useAbortDialog() {
  const taskTexts = useTaskTexts()
  const [task, setTask] = useState<Task | null>(null)
  const [open, setOpen] = useState(false)
  const { mutateAsync: abort, isPending, error, reset } = useAbortTask()

  const ask = (asked: Task) => {
    reset()
    setTask(asked)
    setOpen(true)
  }
  const confirm = async () => {
    if (task === null) return
    try {
      await abort(task)
      setOpen(false)
    } catch {
      // The dialog says why, and stays.
    }
  }
  const dialog = task && (
    <ConfirmDialog
      open={open}
      title={texts.abortQuestion}
      confirmLabel={texts.abort}
      cancelLabel={texts.goOn}
      destructive
      pending={isPending}
      error={error === null ? undefined : messageOf(error)}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
    >
      {texts.abortText(titleInWords(task, taskTexts))}
    </ConfirmDialog>
  )
  return { ask, dialog }
}
