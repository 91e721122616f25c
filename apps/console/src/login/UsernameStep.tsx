import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { useFocusOnMount } from './focus-on-mount.ts'
import styles from './Login.module.css'
import { texts } from './login.texts.ts'

interface UsernameStepProps {
  username: string
  onNext: (username: string) => void
}

export function UsernameStep({ username, onNext }: UsernameStepProps) {
  const field = useFocusOnMount<HTMLInputElement>()
  const [isMissing, setMissing] = useState(false)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const entered = field.current?.value.trim() ?? ''
    setMissing(entered === '')
    if (entered === '') field.current?.focus()
    else onNext(entered)
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={texts.username}
        hideLabel
        placeholder={texts.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        inputMode="email"
        enterKeyHint="next"
        defaultValue={username}
        error={isMissing && texts.usernameMissing}
        onChange={() => setMissing(false)}
      />
      <Button type="submit" variant="primary">
        {texts.next}
      </Button>
    </form>
  )
}
