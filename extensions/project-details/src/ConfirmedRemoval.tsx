import { useNotify } from '@pult/sdk'
import { ConfirmDialog } from '@pult/sdk/ui'
import type { ReactNode } from 'react'

interface ConfirmedRemovalProps {
  open: boolean
  /** The question. */
  title: string
  confirmLabel: string
  cancelLabel: string
  /** What it means. */
  children: ReactNode
  removal: {
    mutateAsync: (id: string) => Promise<unknown>
    isPending: boolean
    error: Error | null
    reset: () => void
  }
  /** Of what is removed. */
  id: string
  /** What is said then. */
  removed: string
  onClose: () => void
  onRemoved?: () => void
}

/** Takes something away after a question, which stays and says why when that fails. */
export function ConfirmedRemoval(props: ConfirmedRemovalProps) {
  const { removal, id, removed, onClose, onRemoved, ...dialog } = props
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
    } catch {
      // The dialog says why, and stays.
    }
  }

  return (
    <ConfirmDialog
      {...dialog}
      destructive
      pending={isPending}
      error={error === null ? undefined : error.message}
      onConfirm={() => void confirm()}
      onCancel={close}
    />
  )
}
