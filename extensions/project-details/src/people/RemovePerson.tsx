import { ConfirmedRemoval } from '../ConfirmedRemoval.tsx'
import { useProducts, useRemovePerson } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import type { Holder } from './holders.ts'
import { roleLabel } from './RoleOptions.tsx'

interface RemovePersonProps {
  person: Holder
  open: boolean
  onClose: () => void
}

/** Removes all grants of a person after confirmation. */
export function RemovePerson({ person: { personId, name, grants }, ...dialog }: RemovePersonProps) {
  const { data: products } = useProducts()
  const roles = grants.flatMap(({ productRole }) =>
    productRole === null ? [] : [roleLabel(productRole, products)],
  )
  return (
    <ConfirmedRemoval
      {...dialog}
      removal={useRemovePerson()}
      id={personId}
      title={texts.removeQuestion(name)}
      confirmLabel={texts.remove}
      cancelLabel={texts.cancel}
      removed={texts.removed(name)}
    >
      {texts.removeText(name, roles.length > 0 ? roles.join(', ') : texts.theGrant)}
    </ConfirmedRemoval>
  )
}
