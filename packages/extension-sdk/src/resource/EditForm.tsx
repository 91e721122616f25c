import type { Endpoint } from '@pult/contract'
import { Card, VisuallyHidden } from '@pult/ui'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useSaveShortcut } from '../forms/use-save-shortcut.ts'
import { useUnsavedInput } from '../forms/use-unsaved-input.ts'
import { useNotify } from '../hooks.ts'
import { conflictOf } from './conflict-of.ts'
import { EditConflict } from './EditConflict.tsx'
import type { FormFields } from './form-fields.ts'
import styles from './RecordForm.module.css'
import { useResourceTexts } from './resource.texts.ts'
import type { Problems, RecordItem } from './resource-view.ts'
import { SaveBar } from './SaveBar.tsx'
import { differingFields, type Values } from './typed-fields.ts'
import { useFormFields } from './use-form-fields.tsx'

export interface EditFormProps<Item extends RecordItem, V extends Values> {
  /** Identifies the draft, which survives the end of the session. */
  name: string
  /** Heading of the form's card. Omit it if the page's heading names the subject. */
  title?: string
  /** Current version of the record on the server. Untouched fields follow it. */
  item: Item
  valuesOf: (item: Item) => V
  clean?: ((values: V) => V) | undefined
  problemsOf?: ((values: V) => Problems<V>) | undefined
  /** Labels of the fields in a comparison of two versions. */
  fieldLabels: Record<keyof V, string>
  /** Formats values in that comparison. By default texts are shown unchanged and other values as JSON. */
  textOf?: ((value: unknown, field: keyof V & string) => string) | undefined
  renderFields: (form: FormFields<V>) => ReactNode
  /** The endpoint that `save` calls. */
  update: Endpoint
  /** Sends the changes. */
  save: (changes: Partial<V>, revision: number | undefined) => Promise<Item>
  /** Called with a newer version that another user has saved. */
  onNewer: (item: Item) => void
  saved: string
  savingFailed?: string
  /** Hides Save: for users without the permission, and for a deleted record. */
  readOnly?: boolean
  /** Content beside Save. */
  renderActions?: ((shown: V) => ReactNode) | undefined
}

/**
 * Edits a record: sends only the changed fields, and asks before it overwrites changes of another user. Save is
 * disabled while there is nothing to save. Ctrl+S and ⌘S save. Leaving with unsaved input asks first. Typed input stays
 * when other users save meanwhile.
 *
 * @example
 * <EditForm
 *   name={`project ${project._id}`}
 *   item={project}
 *   valuesOf={({ label }) => ({ label })}
 *   fieldLabels={{ label: 'Label' }}
 *   renderFields={({ text }) => <TextField label="Label" {...text('label')} />}
 *   update={projectEndpoints.update}
 *   save={(body, revision) => call(projectEndpoints.update, { params, body, ...(revision !== undefined && { revision }) })}
 *   onNewer={show}
 *   saved="Project saved"
 * />
 */
export function EditForm<Item extends RecordItem, V extends Values>(props: EditFormProps<Item, V>) {
  const { name, valuesOf, clean, problemsOf, fieldLabels, renderFields, update, save, onNewer } = props
  const texts = useResourceTexts()
  const notify = useNotify()
  const { saved, savingFailed = texts.savingFailed, readOnly = false, renderActions } = props
  const { textOf = asText } = props
  const [item, learn] = useNewest(props.item)
  const [conflict, setConflict] = useState<Item | null>(null)
  const [isSaving, setSaving] = useState(false)
  const savedOf = (version: Item) => ({ values: valuesOf(version), revision: version.revision })
  const fieldsOf = useFormFields({
    name,
    saved: savedOf(item),
    savedBy: item.updatedBy,
    clean,
    problemsOf,
    readOnly,
  })
  const { form, shown, values, changes, hasChanges, isOvertaken, revision } = fieldsOf
  const element = useSaveShortcut()
  useUnsavedInput(hasChanges)

  const settle = (version: Item) => {
    learn(version)
    fieldsOf.settle(savedOf(version))
    setConflict(null)
    notify({ title: saved, tone: 'success' })
  }
  const refuse = (error: unknown) => {
    const current = conflictOf(error, update) as Item | null
    if (current === null) {
      setConflict(null)
      if (!fieldsOf.refuse(error)) notify({ title: savingFailed, error })
    } else if (differingFields(changes, valuesOf(current)).length > 0) {
      setConflict(current)
    } else {
      // Both users have typed the same values.
      settle(current)
      onNewer(current)
    }
  }
  const send = async (from: number | undefined) => {
    setSaving(true)
    try {
      settle(await save(changes, from))
    } catch (error) {
      refuse(error)
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (hasChanges && !readOnly && !isSaving && fieldsOf.isFit()) void send(revision)
  }
  const takeTheirs = (theirs: Item) => {
    learn(theirs)
    onNewer(theirs)
    fieldsOf.discard()
    setConflict(null)
  }

  const theirs = conflict && valuesOf(conflict)
  return (
    <Card flush {...(props.title !== undefined && { title: props.title })}>
      <form ref={element} onSubmit={submit} noValidate>
        <div className={styles.fields}>{renderFields(form)}</div>
        <VisuallyHidden role="status">{isOvertaken && texts.overtaken}</VisuallyHidden>
        {readOnly ? (
          renderActions && <div className={styles.bar}>{renderActions(shown)}</div>
        ) : (
          <SaveBar label={texts.save} pendingLabel={texts.saving} disabled={!hasChanges} pending={isSaving}>
            {renderActions?.(shown)}
          </SaveBar>
        )}
      </form>
      <EditConflict
        current={conflict}
        versions={differingFields(changes, theirs ?? values).map((field) => ({
          label: fieldLabels[field],
          theirs: textOf(theirs?.[field], field),
          mine: textOf(changes[field], field),
        }))}
        pending={isSaving}
        onTakeTheirs={() => conflict && takeTheirs(conflict)}
        onKeepMine={() => conflict && void send(conflict.revision)}
        onClose={() => setConflict(null)}
      />
    </Card>
  )
}

/**
 * Returns the newer of the record and the reply of the last save. A read that began before the save may end after it.
 */
function useNewest<Item extends RecordItem>(item: Item) {
  const [learned, learn] = useState(item)
  const isOlder = (item.revision ?? 0) < (learned.revision ?? 0)
  return [isOlder ? learned : item, learn] as const
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
