import { type ChangeInput, useChange } from '@pult/sdk'
import type { Endpoint } from '@pult/sdk/api'
import { FormDialog, useFormFields } from '@pult/sdk/resource'
import { TextField } from '@pult/sdk/ui'
import { edgeData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

interface LabelDialogProps<E extends Endpoint> {
  title: string
  /** The current label. */
  label: string
  action: string
  failed: string
  /** The call that saves the label, and its input. */
  endpoint: E
  inputOf: (label: string) => ChangeInput<E>
  onClose: () => void
}

/** Asks for a label. */
export function LabelDialog<E extends Endpoint>(props: LabelDialogProps<E>) {
  const { title, label, action, failed, endpoint, inputOf, onClose } = props
  const fields = useFormFields({ name: null, saved: { values: { label } }, problemsOf: labelMissing })
  const { mutateAsync } = useChange(endpoint, inputOf, { touches: edgeData })
  return (
    <FormDialog
      title={title}
      submit={action}
      pendingLabel={texts.saving}
      failed={failed}
      fields={fields}
      save={() => mutateAsync(fields.values.label.trim())}
      onClose={onClose}
    >
      <TextField label={texts.name} autoFocus maxLength={200} {...fields.form.text('label')} />
    </FormDialog>
  )
}

export const labelMissing = ({ label }: { label: string }) =>
  label.trim() === '' ? { label: texts.nameMissing } : {}
