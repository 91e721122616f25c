import { Alert, Button, Dialog, DialogActions, type DialogProps } from '@pult/ui'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode, SubmitEvent } from 'react'
import { isCancelled } from '../is-cancelled.ts'
import { useTexts } from '../texts.ts'
import type { Values } from './typed-fields.ts'
import type { useFormFields } from './use-form-fields.tsx'

const catalogues = {
  de: { cancel: 'Cancel' },
  'de-DE': { cancel: 'Abbrechen' },
}

type Fields = Pick<ReturnType<typeof useFormFields<Values>>, 'element' | 'hasChanges' | 'isFit' | 'refuse'>

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'size'> {
  /** Label of the button that saves. */
  submit: string
  /** Replaces the label while it saves. */
  pendingLabel?: string
  /** Title of an error. */
  failed: string
  /** The form's fields: the dialog checks them before it saves, and shows an error at the field that it names. */
  fields?: Fields
  /** Whether there is unsaved input. @default whether the fields have changes */
  unsaved?: boolean
  /** Set as long as there is nothing to save. */
  disabled?: boolean
  /** Saves the input. The dialog closes afterwards, and stays open with the error if it throws. */
  save: () => Promise<unknown>
  /** Called after a success instead of `onClose`, for a dialog that has a second step. */
  onSaved?: () => void
  /** Returns the text of an error; null for one that the fields show. @default its message */
  textOf?: (error: Error) => ReactNode
  /** Called on Cancel, Esc, the way back of a phone and after a success. */
  onClose: () => void
  children: ReactNode
}

const messageIn = ({ message }: Error): ReactNode => message

/**
 * Renders a short form in a modal dialog with Cancel and a button that saves. It stays open until the input is saved,
 * ignores a second press meanwhile, and asks before it discards unsaved input.
 *
 * @example
 * const fields = useFormFields({ name: null, saved: { values: { label } }, problemsOf })
 * <FormDialog title="Rename" submit="Save" failed="Renaming failed" fields={fields} save={() => save(fields.values)} onClose={close}>
 *   <TextField label="Label" autoFocus {...fields.form.text('label')} />
 * </FormDialog>
 */
export function FormDialog({
  title,
  size,
  submit,
  pendingLabel,
  failed,
  fields,
  unsaved = fields?.hasChanges === true,
  disabled = false,
  save,
  onSaved,
  textOf = messageIn,
  onClose,
  children,
}: FormDialogProps) {
  const texts = useTexts(catalogues)
  const { mutate, isPending, error, reset } = useMutation({
    // Without the result, which the cache would keep for a while: it can contain a secret.
    mutationFn: async () => void (await save()),
    onSuccess: onSaved ?? onClose,
    onError: (refusal) => {
      if (fields?.refuse(refusal) === true) reset()
    },
  })
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending && !disabled && fields?.isFit() !== false) mutate()
  }
  const text = error === null || isCancelled(error) ? null : textOf(error)
  return (
    <Dialog open title={title} size={size} unsaved={unsaved} onClose={onClose}>
      <form ref={fields?.element} onSubmit={send} noValidate>
        {children}
        {text !== null && (
          <Alert tone="danger" title={failed}>
            {text}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={disabled}
            pending={isPending}
            pendingLabel={pendingLabel}
          >
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
