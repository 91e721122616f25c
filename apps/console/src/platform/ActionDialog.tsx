import { ConfirmDialog, type ConfirmDialogProps } from '@pult/ui'
import type { UseMutationResult } from '@tanstack/react-query'
import { messageOf } from './api-error.ts'

interface ActionDialogProps<Variables>
  extends Pick<ConfirmDialogProps, 'open' | 'title' | 'confirmLabel' | 'cancelLabel' | 'children'> {
  action: UseMutationResult<unknown, Error, Variables>
  /** The argument of the action. */
  subject: Variables
  onDone?: () => void
  onClose: () => void
}

/** Asks for confirmation of a destructive action, and stays open until the action has succeeded. */
export function ActionDialog<Variables>(props: ActionDialogProps<Variables>) {
  const { action, subject, onDone, onClose, ...question } = props
  const { mutateAsync, isPending, error, reset } = action

  const close = () => {
    onClose()
    reset()
  }
  const confirm = async () => {
    try {
      await mutateAsync(subject)
      close()
      onDone?.()
    } catch {
      // The dialog shows the error and stays open.
    }
  }

  return (
    <ConfirmDialog
      {...question}
      destructive
      pending={isPending}
      error={error === null ? undefined : messageOf(error)}
      onConfirm={() => void confirm()}
      onCancel={close}
    />
  )
}
