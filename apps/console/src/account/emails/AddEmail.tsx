import { limits } from '@pult/contract'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '../../recent-sign-in/recent-sign-in.queries.ts'
import styles from './EmailsPage.module.css'
import { useAddEmail } from './emails.queries.ts'
import { texts } from './emails.texts.ts'

export function AddEmail() {
  const [email, setEmail] = useState('')
  const { mutateAsync: add, isPending } = useAddEmail()
  const entered = email.trim()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (entered === '' || isPending) return
    try {
      await add(entered)
      setEmail('')
      notify.success(texts.added)
    } catch (error) {
      // What was typed stays, to be put right.
      if (!isCancelled(error)) notify.error(texts.addingFailed, error)
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
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" disabled={entered === ''} pending={isPending} pendingLabel={texts.adding}>
        {texts.add}
      </Button>
    </form>
  )
}
