import type { Task } from '@pult/contract'
import { titleInWords, useTaskTexts } from '@pult/sdk/task-list'
import { useState } from 'react'
import { ActionDialog } from '#platform/ActionDialog.tsx'
import { useAbortTask } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** The confirmation before an abort: a function that opens it, and the dialog. */
export function useAbortDialog() {
  const taskTexts = useTaskTexts()
  const [task, setTask] = useState<Task | null>(null)
  const [open, setOpen] = useState(false)
  const abort = useAbortTask()

  const ask = (asked: Task) => {
    setTask(asked)
    setOpen(true)
  }
  const dialog = task && (
    <ActionDialog
      open={open}
      title={texts.abortQuestion}
      confirmLabel={texts.abort}
      cancelLabel={texts.goOn}
      action={abort}
      subject={task}
      onClose={() => setOpen(false)}
    >
      {texts.abortText(titleInWords(task, taskTexts))}
    </ActionDialog>
  )
  return { ask, dialog }
}
