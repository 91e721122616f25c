import { Button, ConfirmDialog } from '@pult/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { isSessionEnd, messageOf } from '../api-error.ts'
import { useNotify } from '../hooks.ts'
import type { Row } from './list-page.ts'
import { useResourceTexts } from './resource.texts.ts'
import { useResourceContext } from './resource-context.ts'

interface DeleteItemProps {
  itemId: string
  label: string
  /** Called with true before the deletion, and with false if it fails. */
  onDeleting: (isDeleting: boolean) => void
  /** Called with the id of the record to open next; null opens the list. */
  onDeleted: (nextId: string | null) => void
}

/** Renders a button that deletes the record after confirmation. */
export function DeleteItem({ itemId, label, onDeleting, onDeleted }: DeleteItemProps) {
  const { view, calls, isListAtTheSide } = useResourceContext()
  const texts = useResourceTexts()
  const notify = useNotify()
  const [asks, setAsks] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | undefined>()

  const close = () => {
    setAsks(false)
    setFailure(undefined)
  }
  const confirm = async () => {
    const next = isListAtTheSide() ? neighbourOf(itemId, calls.rowsInView()) : null
    setPending(true)
    onDeleting(true)
    try {
      await calls.remove(itemId)
      const { restore } = calls
      notify({
        title: view.texts.deleted,
        text: label,
        tone: 'success',
        ...(restore && { undo: () => restore(itemId) }),
      })
      onDeleted(next)
    } catch (error) {
      // The dialog shows the error and stays open.
      if (!isSessionEnd(error)) setFailure(messageOf(error))
      onDeleting(false)
      setPending(false)
    }
  }

  return (
    <>
      <Button variant="danger-quiet" icon={<Trash aria-hidden="true" />} onClick={() => setAsks(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        open={asks}
        title={texts.deleteQuestion}
        confirmLabel={texts.delete}
        cancelLabel={texts.cancel}
        destructive
        pending={isPending}
        error={failure}
        onConfirm={() => void confirm()}
        onCancel={close}
      >
        {view.texts.deleteText(label)}
      </ConfirmDialog>
    </>
  )
}

/** Returns the id of the next record, or else of the previous one. */
function neighbourOf(itemId: string, rows: readonly Row<unknown>[]): string | null {
  const at = rows.findIndex(({ id }) => id === itemId)
  return at === -1 ? null : ((rows[at + 1] ?? rows[at - 1])?.id ?? null)
}
