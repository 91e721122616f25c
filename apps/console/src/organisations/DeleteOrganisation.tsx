import type { Organisation } from '@pult/contract'
import { Button, ConfirmDialog } from '@pult/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
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
      setAsks(false)
      notify.success(texts.deleted(organisation.label))
      onDeleted()
    } catch (refusal) {
      if (isCancelled(refusal)) close()
    }
  }

  return (
    <>
      <Button variant="danger-quiet" icon={<Trash aria-hidden="true" />} onClick={() => setAsks(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        open={asks && !isPending}
        title={texts.deleteQuestion}
        confirmLabel={texts.delete}
        cancelLabel={texts.cancel}
        destructive
        error={error === null || isCancelled(error) ? undefined : <Refusal error={error} />}
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

/** Matches the contract's description of this error's detail. */
function projectsOf(error: Error): ProjectInTheWay[] {
  if (!(error instanceof ApiError) || error.code !== 'ORGANISATION_HAS_PROJECTS') return []
  return (error.detail as { projects: ProjectInTheWay[] }).projects
}
