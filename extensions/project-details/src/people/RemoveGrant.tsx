import type { Grant } from '@pult/sdk/api'
import { ConfirmedRemoval } from '../ConfirmedRemoval.tsx'
import { useProducts, useRemoveGrant } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { roleLabel } from './RoleOptions.tsx'

interface RemoveGrantProps {
  grant: Grant
  open: boolean
  onClose: () => void
}

/** Takes a grant away, after a question. */
export function RemoveGrant({ grant, ...dialog }: RemoveGrantProps) {
  const { data: products } = useProducts()
  const role = grant.productRole === null ? texts.theGrant : roleLabel(grant.productRole, products)
  return (
    <ConfirmedRemoval
      {...dialog}
      removal={useRemoveGrant()}
      id={grant._id}
      title={texts.removeQuestion}
      confirmLabel={texts.remove}
      cancelLabel={texts.cancel}
      removed={texts.removed}
    >
      {texts.removeText(grant.name, role)}
    </ConfirmedRemoval>
  )
}
