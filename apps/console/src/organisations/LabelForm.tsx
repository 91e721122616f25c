import { limits, type Organisation, organisationEndpoints } from '@pult/contract'
import { Button, Card, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { useDraft } from '#platform/drafts.ts'
import { conflictOf } from '#platform/edit-conflict/conflict-of.ts'
import { EditConflict } from '#platform/edit-conflict/EditConflict.tsx'
import { notify } from '#platform/notify.ts'
import { useUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { useSaveShortcut } from '#platform/use-save-shortcut.ts'
import { DeleteOrganisation } from './DeleteOrganisation.tsx'
import styles from './Organisations.module.css'
import { useShowOrganisation, useUpdateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** What was typed, and the revision that it was typed over. */
interface Draft {
  label: string
  revision: number
}

interface LabelFormProps {
  organisation: Organisation
  onDeleted: () => void
}

export function LabelForm({ organisation, onDeleted }: LabelFormProps) {
  const [draft, setDraft] = useDraft<Draft | null>(`organisation ${organisation._id}`, null)
  const [conflict, setConflict] = useState<Organisation | null>(null)
  const { mutateAsync: update, isPending } = useUpdateOrganisation(organisation._id)
  const show = useShowOrganisation()
  const form = useSaveShortcut()
  const label = draft?.label.trim() ?? organisation.label
  const hasChanges = label !== organisation.label
  useUnsavedInput(hasChanges)

  // What comes from the server meanwhile changes neither the field nor what the change was made from.
  const edit = (typed: string) =>
    setDraft((now) =>
      typed === organisation.label
        ? null
        : { label: typed, revision: now?.revision ?? organisation.revision },
    )
  const save = async (revision: number) => {
    try {
      const saved = await update({ label, revision })
      setConflict(null)
      // What was typed while the answer was on its way stays.
      setDraft((now) =>
        now === null || now.label.trim() === saved.label ? null : { ...now, revision: saved.revision },
      )
      notify.success(texts.saved)
    } catch (error) {
      const current = conflictOf(error, organisationEndpoints.update)
      if (current !== null) setConflict(current)
      else if (!isSessionEnd(error)) notify.error(texts.savingFailed, error)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (draft !== null && hasChanges && label !== '' && !isPending) void save(draft.revision)
  }
  const takeTheirs = () => {
    if (conflict !== null) show(conflict)
    setDraft(null)
    setConflict(null)
  }

  const isReadOnly = organisation.access === 'member'
  return (
    <Card flush>
      <form ref={form} onSubmit={submit} noValidate>
        <div className={styles.field}>
          <TextField
            label={texts.label}
            name="label"
            autoComplete="off"
            maxLength={limits.labelMax}
            readOnly={isReadOnly}
            value={draft?.label ?? organisation.label}
            onChange={({ target }) => edit(target.value)}
          />
        </div>
        {!isReadOnly && (
          <div className={styles.actions}>
            <DeleteOrganisation organisation={organisation} onDeleted={onDeleted} />
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              disabled={!hasChanges}
              pending={isPending}
              pendingLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </div>
        )}
      </form>
      <EditConflict
        current={conflict}
        theirs={conflict?.label ?? ''}
        mine={label}
        pending={isPending}
        onTakeTheirs={takeTheirs}
        onKeepMine={() => conflict && void save(conflict.revision)}
        onClose={() => setConflict(null)}
      />
    </Card>
  )
}
