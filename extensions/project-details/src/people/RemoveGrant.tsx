import { useNotify } from '@pult/sdk'
import type { Grant } from '@pult/sdk/api'
import { ConfirmDialog } from '@pult/sdk/ui'
import { useProducts, useRemoveGrant } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { roleLabel } from './RoleOptions.tsx'

interface RemoveGrantProps {
  grant: Grant
  open: boolean
  onClose: () => void
  onRemoved: () => void
}

/** Takes a grant away, after a question. */
export function RemoveGrant({ grant, open, onClose, onRemoved }: RemoveGrantProps) {
  const { data: products } = useProducts()
  const { mutateAsync: remove, isPending, error, reset } = useRemoveGrant()
  const notify = useNotify()

  const close = () => {
    onClose()
    reset()
  }
  const confirm = async () => {
    try {
      await remove(grant._id)
      close()
      notify({ title: texts.removed, tone: 'success' })
      onRemoved()
    } catch {
      // The dialog says why, and stays.
    }
  }

  const role = grant.productRole === null ? texts.theGrant : roleLabel(grant.productRole, products)
  return (
    <ConfirmDialog
      open={open}
      title={texts.removeQuestion}
      confirmLabel={texts.remove}
      cancelLabel={texts.cancel}
      destructive
      pending={isPending}
      error={error === null ? undefined : error.message}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {texts.removeText(grant.name, role)}
    </ConfirmDialog>
  )
}
