import type { Project } from '@pult/sdk/api'
import { Alert, Button, Card, Dialog, DialogActions, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { useDeleteProject } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Settings.module.css'

interface DangerZoneProps {
  project: Project
  onDeleted: () => void
}

export function DangerZone({ project, onDeleted }: DangerZoneProps) {
  const [asks, setAsks] = useState(false)
  const close = () => setAsks(false)
  return (
    <Card title={texts.danger} className={styles.danger}>
      <div className={styles.dangerous}>
        <p className={styles.quiet}>{texts.deleteText}</p>
        <Button variant="danger-quiet" onClick={() => setAsks(true)}>
          {texts.delete}
        </Button>
      </div>
      <Dialog open={asks} title={texts.deleteTitle(project.label)} onClose={close}>
        {/* Begins anew each time. */}
        {asks && <DeleteForm project={project} onCancel={close} onDeleted={onDeleted} />}
      </Dialog>
    </Card>
  )
}

interface DeleteFormProps extends DangerZoneProps {
  onCancel: () => void
}

/** Nobody types what a project is called by mistake. */
function DeleteForm({ project: { label }, onCancel, onDeleted }: DeleteFormProps) {
  const { mutateAsync: remove, isPending, error } = useDeleteProject()
  const [typed, setTyped] = useState('')
  const isMeant = typed.trim().normalize() === label.trim().normalize()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isMeant || isPending) return
    try {
      await remove()
      onDeleted()
    } catch {
      // The form says why, and stays.
    }
  }

  return (
    <form className={styles.delete} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.deleteText}</p>
      <TextField
        label={texts.typeLabel(label)}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {error !== null && <Alert tone="danger">{error.message}</Alert>}
      <DialogActions>
        <Button onClick={onCancel} disabled={isPending}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          variant="danger"
          disabled={!isMeant}
          pending={isPending}
          pendingLabel={texts.deleting}
        >
          {texts.deleteNow}
        </Button>
      </DialogActions>
    </form>
  )
}
