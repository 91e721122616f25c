import type { Organisation, OrganisationMember } from '@pult/contract'
import { ConfirmDialog } from '@pult/ui'
import { messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { useUpdateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

interface MakeOwnerProps {
  organisation: Organisation
  member: OrganisationMember
  open: boolean
  onClose: () => void
}

/** Hands an organisation over, after a question. */
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
    } catch {
      // The dialog says why, and stays.
    }
  }

  return (
    <ConfirmDialog
      open={open}
      title={texts.makeOwnerQuestion}
      confirmLabel={texts.makeOwner}
      cancelLabel={texts.cancel}
      pending={isPending}
      error={error === null ? undefined : messageOf(error)}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {access === 'owner' ? texts.handOverOwn(name, label) : texts.handOverOther(name, label)}
    </ConfirmDialog>
  )
}
