import type { Organisation, OrganisationMember } from '@pult/contract'
import { ConfirmDialog } from '@pult/ui'
import { messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import { useUpdateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

interface MakeOwnerProps {
  organisation: Organisation
  member: OrganisationMember
  open: boolean
  onClose: () => void
}

/** Transfers the ownership of an organisation after confirmation. */
export function MakeOwner({ organisation, member, open, onClose }: MakeOwnerProps) {
  const { _id, label, access, revision } = organisation
  const { mutateAsync: update, isPending, error, reset } = useUpdateOrganisation(_id)
  const name = `${member.firstname} ${member.lastname}`

  const close = () => {
    onClose()
    reset()
  }
  const confirm = async () => {
    try {
      await update({ changes: { owner: member._id }, revision })
      close()
      notify.success(texts.ownerMade(name))
    } catch (refusal) {
      if (isCancelled(refusal)) close()
    }
  }

  return (
    <ConfirmDialog
      open={open && !isPending}
      title={texts.makeOwnerQuestion}
      confirmLabel={texts.makeOwner}
      cancelLabel={texts.cancel}
      error={error === null || isCancelled(error) ? undefined : messageOf(error)}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {access === 'owner' ? texts.handOverOwn(name, label) : texts.handOverOther(name, label)}
    </ConfirmDialog>
  )
}
