import { limits } from '@pult/contract'
import { messageFor } from '@pult/sdk/resource'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '../../recent-sign-in/recent-sign-in.queries.ts'
import styles from './EmailsPage.module.css'
import { useAddEmail } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

/** What is said at the address itself. */
const atAddress = (error: unknown) => messageFor('email', error, ['EMAIL_ADDED_ALREADY'])

export function AddEmail() {
  const [email, setEmail] = useState('')
  const { mutateAsync: add, isPending, error, reset } = useAddEmail()
  const field = useRef<HTMLInputElement>(null)
  const entered = email.trim()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || isPending) return
    try {
      await add(entered)
      setEmail('')
      notify.success(texts.added)
    } catch (refusal) {
      // What was typed stays, to be put right.
      if (atAddress(refusal) !== undefined) field.current?.focus()
      if (!isCancelled(refusal)) notify.error(texts.addingFailed, refusal)
    }
  }

  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={texts.newEmail}
        hideLabel
        placeholder={texts.newEmail}
        name="new-email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMax}
        ref={field}
        value={email}
        error={atAddress(error)}
        onChange={(event) => {
          setEmail(event.target.value)
          reset()
        }}
      />
      <Button type="submit" disabled={entered === ''} pending={isPending} pendingLabel={texts.adding}>
        {texts.add}
      </Button>
    </form>
  )
}
