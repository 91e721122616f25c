import type { Organisation } from '@pult/contract'
import { Button, ConfirmDialog } from '@pult/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import styles from './Organisations.module.css'
import { useRemoveOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

interface DeleteOrganisationProps {
  organisation: Organisation
  onDeleted: () => void
}

export function DeleteOrganisation({ organisation, onDeleted }: DeleteOrganisationProps) {
  const [asks, setAsks] = useState(false)
  const { mutateAsync: remove, isPending, error, reset } = useRemoveOrganisation(organisation._id)

  const close = () => {
    setAsks(false)
    reset()
  }
  const confirm = async () => {
    try {
      await remove()
      close()
      notify.success(texts.deleted(organisation.label))
      onDeleted()
    } catch {
      // The dialog says why, and stays.
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
        error={error === null ? undefined : <Refusal error={error} />}
        onConfirm={() => void confirm()}
        onCancel={close}
      >
        {texts.deleteText(organisation.label)}
      </ConfirmDialog>
    </>
  )
}

function Refusal({ error }: { error: Error }) {
  const projects = projectsOf(error)
  return (
    <>
      {messageOf(error)}
      {projects.length > 0 && (
        <ul className={styles.projects} aria-label={texts.stillHas}>
          {projects.map(({ _id, label }) => (
            <li key={_id}>{label}</li>
          ))}
        </ul>
      )}
    </>
  )
}

interface ProjectInTheWay {
  _id: string
  label: string
}

/** As the contract describes the detail of this error. */
function projectsOf(error: Error): ProjectInTheWay[] {
  if (!(error instanceof ApiError) || error.code !== 'ORGANISATION_HAS_PROJECTS') return []
  return (error.detail as { projects: ProjectInTheWay[] }).projects
}
