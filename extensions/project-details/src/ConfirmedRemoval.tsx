import { isCancelled, useNotify } from '@pult/sdk'
import { ConfirmDialog } from '@pult/sdk/ui'
import type { ReactNode } from 'react'

interface ConfirmedRemovalProps {
  open: boolean
  /** The question. */
  title: string
  confirmLabel: string
  cancelLabel: string
  /** The consequences. */
  children: ReactNode
  removal: {
    mutateAsync: (id: string) => Promise<unknown>
    isPending: boolean
    error: Error | null
    reset: () => void
  }
  /** Arguments of the removal. */
  id: string
  /** The notification after success. */
  removed: string
  onClose: () => void
  onRemoved?: () => void
}

/** Removes a record after confirmation. If the removal fails, the question reopens with the reason. */
export function ConfirmedRemoval(props: ConfirmedRemovalProps) {
  const { open, removal, id, removed, onClose, onRemoved, ...dialog } = props
  const { mutateAsync: remove, isPending, error, reset } = removal
  const notify = useNotify()

  const close = () => {
    onClose()
    reset()
  }
  const confirm = async () => {
    try {
      await remove(id)
      close()
      notify({ title: removed, tone: 'success' })
      onRemoved?.()
    } catch (refusal) {
      if (isCancelled(refusal)) close()
    }
  }

  return (
    <ConfirmDialog
      {...dialog}
      open={open && !isPending}
      destructive
      error={error === null || isCancelled(error) ? undefined : error.message}
      onConfirm={() => void confirm()}
      onCancel={close}
    />
  )
}
