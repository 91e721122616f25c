import { AppLink, isCancelled, useApi, useProject } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { useRepeatableKey } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions, TextField } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { CommandDialog, type NewCode } from './CommandDialog.tsx'
import styles from './edges.module.css'
import { useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Creates an edge, then shows the command that starts its agent until the agent connects. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain()
  const [label, setLabel] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const [made, setMade] = useState<NewCode | null>(null)
  const repeatableKey = useRepeatableKey()
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { label: label.trim() }
      return call(edgeEndpoints.enrol, {
        params: { projectId },
        body,
        idempotencyKey: repeatableKey(body),
      })
    },
  })

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(label.trim() === '')
    if (label.trim() === '') field.current?.focus()
    if (label.trim() === '' || isPending) return
    try {
      const { edge, code, expiresAt } = await mutateAsync()
      setMade({ edgeId: edge._id, label: edge.label, code, expiresAt })
      await readAgain()
    } catch {
      // The error is shown below the form.
    }
  }

  if (made !== null) return <CommandDialog made={made} onClose={onClose} />
  return (
    <Dialog open title={texts.addTitle} unsaved={label !== ''} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={texts.name}
          description={texts.addHint}
          ref={field}
          autoFocus
          maxLength={200}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
          error={isMissing ? texts.nameMissing : undefined}
        />
        <p className={styles.quiet}>
          {texts.manyHint} <AppLink to="keys">{texts.manyLink}</AppLink>
        </p>
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.addFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.adding}>
            {texts.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
