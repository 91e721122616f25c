import { isCancelled } from '@pult/sdk'
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
  const [typed, setTyped] = useState('')
  const removal = useDeleteProject()
  const close = () => {
    setAsks(false)
    setTyped('')
    removal.reset()
  }
  return (
    <Card title={texts.danger} className={styles.danger}>
      <div className={styles.dangerous}>
        <p className={styles.quiet}>{texts.deleteText}</p>
        <Button variant="danger-quiet" onClick={() => setAsks(true)}>
          {texts.delete}
        </Button>
      </div>
      {/* Closes while the action runs, because a step-up dialog may need its place. */}
      <Dialog open={asks && !removal.isPending} title={texts.deleteTitle(project.label)} onClose={close}>
        <DeleteForm
          project={project}
          typed={typed}
          onType={setTyped}
          removal={removal}
          onCancel={close}
          onDeleted={onDeleted}
        />
      </Dialog>
    </Card>
  )
}

interface DeleteFormProps extends DangerZoneProps {
  typed: string
  onType: (typed: string) => void
  removal: ReturnType<typeof useDeleteProject>
  onCancel: () => void
}

/** Typing the label prevents accidental deletion. */
function DeleteForm({ project: { label }, typed, onType, removal, onCancel, onDeleted }: DeleteFormProps) {
  const { mutateAsync: remove, isPending, error } = removal
  // Labels are stored in NFC, and some systems type NFD. An extension has no access to the contract's rules for text.
  const isMeant = typed.trim().normalize() === label.trim().normalize()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isMeant || isPending) return
    try {
      await remove()
      onDeleted()
    } catch {
      // The form shows the error and stays open.
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
        onChange={({ target }) => onType(target.value)}
      />
      {error !== null && !isCancelled(error) && <Alert tone="danger">{error.message}</Alert>}
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
