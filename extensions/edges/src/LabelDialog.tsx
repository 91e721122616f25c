import { isCancelled } from '@pult/sdk'
import { Alert, Button, Dialog, DialogActions, TextField } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

interface LabelDialogProps {
  title: string
  /** The current label. */
  label: string
  action: string
  failed: string
  save: (label: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a label. */
export function LabelDialog({ title, label: before, action, failed, save, onClose }: LabelDialogProps) {
  const [label, setLabel] = useState(before)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const readAgain = useReadAgain()
  const { mutateAsync, isPending, error } = useMutation({ mutationFn: save })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const name = label.trim()
    setMissing(name === '')
    if (name === '') field.current?.focus()
    if (name === '' || isPending) return
    try {
      await mutateAsync(name)
      await readAgain()
      onClose()
    } catch {
      // The error is shown below the form.
    }
  }
  return (
    <Dialog open title={title} unsaved={label !== before} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={texts.name}
          ref={field}
          autoFocus
          maxLength={200}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
          error={isMissing ? texts.nameMissing : undefined}
        />
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={failed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.saving}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
