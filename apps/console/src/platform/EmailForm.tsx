import { type ErrorCode, limits } from '@pult/contract'
import { messageFor, useDraft, useUnsavedInput } from '@pult/sdk/resource'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useRef } from 'react'
import { isSessionEnd } from './api-error.ts'
import styles from './EmailForm.module.css'
import { notify } from './notify.ts'

interface EmailFormProps<Sent> {
  /** Also the placeholder of the field. */
  label: string
  /** The field's name and its `autocomplete` value. */
  name: string
  autoComplete: 'email' | 'off'
  /** The label of the button; `pendingLabel` replaces it while the request is running. */
  action: string
  pendingLabel: string
  /** The title of the message about a failure. */
  failed: string
  /** Errors that are shown at the field. */
  atField: readonly ErrorCode[]
  send: {
    mutateAsync: (email: string) => Promise<Sent>
    isPending: boolean
    error: unknown
    reset: () => void
  }
  onSent: (sent: Sent) => void
}

/** A field for an e-mail address with its button. A rejected address stays in the field for correction. */
export function EmailForm<Sent>(props: EmailFormProps<Sent>) {
  const { label, name, autoComplete, action, pendingLabel, failed, atField, send, onSent } = props
  const [email, setEmail] = useDraft(`address ${name}`, '')
  const field = useRef<HTMLInputElement>(null)
  const entered = email.trim()
  const atAddress = (error: unknown) => messageFor('email', error, atField)
  useUnsavedInput(entered !== '')

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || send.isPending) return
    try {
      onSent(await send.mutateAsync(entered))
      setEmail((now) => (now === email ? '' : now))
    } catch (error) {
      if (atAddress(error) !== undefined) field.current?.focus()
      if (!isSessionEnd(error)) notify.error(failed, error)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={label}
        hideLabel
        placeholder={label}
        name={name}
        autoComplete={autoComplete}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
        ref={field}
        value={email}
        error={atAddress(send.error)}
        onChange={(event) => {
          setEmail(event.target.value)
          send.reset()
        }}
      />
      <Button type="submit" disabled={entered === ''} pending={send.isPending} pendingLabel={pendingLabel}>
        {action}
      </Button>
    </form>
  )
}
