import { Card } from '@pult/ui'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useRepeatableKey } from '../forms/use-repeatable-key.ts'
import { useSaveShortcut } from '../forms/use-save-shortcut.ts'
import { useUnsavedInput } from '../forms/use-unsaved-input.ts'
import { useNotify } from '../hooks.ts'
import type { FormFields } from './form-fields.ts'
import styles from './RecordForm.module.css'
import { useResourceTexts } from './resource.texts.ts'
import type { Problems } from './resource-view.ts'
import { SaveBar } from './SaveBar.tsx'
import type { Values } from './typed-fields.ts'
import { useFormFields } from './use-form-fields.tsx'

export interface CreateFormProps<V extends Values> {
  /** Identifies the draft, which survives the end of the session. */
  name: string
  empty: V
  /** Initial values of a duplicate. */
  initial?: V | undefined
  clean?: ((values: V) => V) | undefined
  problemsOf?: ((values: V) => Problems<V>) | undefined
  renderFields: (form: FormFields<V>) => ReactNode
  /** Creates the record and leaves the page. The same values are always sent with the same key. */
  create: (values: V, idempotencyKey: string) => Promise<void>
}

/**
 * Renders the form for a new record. Create is disabled while the form is empty. A repeated request creates no second
 * record.
 *
 * @example
 * <CreateForm
 *   name="new cue"
 *   empty={{ label: '' }}
 *   renderFields={({ text }) => <TextField label="Label" {...text('label')} />}
 *   create={async (body, idempotencyKey) => open(await call(cueEndpoints.create, { params, body, idempotencyKey }))}
 * />
 */
export function CreateForm<V extends Values>(props: CreateFormProps<V>) {
  const { name, empty, initial, clean, problemsOf, renderFields, create } = props
  const texts = useResourceTexts()
  const notify = useNotify()
  const [isSaving, setSaving] = useState(false)
  const start = { ...(initial && { initial }) }
  const fieldsOf = useFormFields({ name, saved: { values: empty }, clean, problemsOf, ...start })
  const { form, values, hasChanges } = fieldsOf
  const keyOf = useRepeatableKey()
  const element = useSaveShortcut()
  useUnsavedInput(hasChanges)

  const send = async () => {
    setSaving(true)
    try {
      await create(values, keyOf(values))
    } catch (error) {
      if (!fieldsOf.refuse(error)) notify({ title: texts.creatingFailed, error })
      setSaving(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (hasChanges && !isSaving && fieldsOf.isFit()) void send()
  }

  return (
    <Card flush>
      <form ref={element} onSubmit={submit} noValidate>
        <div className={styles.fields}>{renderFields(form)}</div>
        <SaveBar
          label={texts.create}
          pendingLabel={texts.creating}
          disabled={!hasChanges}
          pending={isSaving}
        />
      </form>
    </Card>
  )
}
