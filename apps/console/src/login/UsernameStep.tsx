import { Alert, Button, Spinner, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { useAttempt } from './attempt.ts'
import { useFocusOnMount } from './focus-on-mount.ts'
import styles from './Login.module.css'
import { LoginFailure } from './LoginFailure.tsx'
import { texts } from './login.texts.ts'
import { loaded, proof } from './proof.ts'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'

interface UsernameStepProps {
  username: string
  notice: string | null
  onNext: (username: string) => void
  /** The user chose a passkey in the field's suggestions. */
  onToken: (token: string) => void
}

export function UsernameStep({ username, notice, onNext, onToken }: UsernameStepProps) {
  const field = useFocusOnMount<HTMLInputElement>()
  const [isMissing, setMissing] = useState(false)
  const { pending, attempt } = useAttempt<'next'>()
  const [notLoaded, setNotLoaded] = useState<unknown>(null)
  const { isSigningIn, failure } = usePasskeyAutofill(onToken)

  const type = () => {
    setMissing(false)
    proof.load().catch(() => {})
  }
  const goOn = async (entered: string) => {
    setNotLoaded(null)
    const outcome = await attempt('next', () => loaded(proof))
    if (outcome === null) return
    if ('error' in outcome) setNotLoaded(outcome.error)
    else onNext(entered)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const entered = field.current?.value.trim() ?? ''
    setMissing(entered === '')
    if (entered === '') field.current?.focus()
    else void goOn(entered)
  }

  return (
    <>
      <h1>{texts.title}</h1>
      {notice !== null && <Alert tone="info">{notice}</Alert>}
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          ref={field}
          label={texts.username}
          hideLabel
          placeholder={texts.username}
          name="username"
          autoComplete="username webauthn"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          inputMode="email"
          enterKeyHint="next"
          defaultValue={username}
          error={isMissing && texts.usernameMissing}
          onChange={type}
        />
        <Button type="submit" variant="primary" pending={pending !== null} pendingLabel={texts.loading}>
          {texts.next}
        </Button>
        {isSigningIn && (
          <p role="status" className={styles.waiting}>
            <Spinner />
            {texts.signingIn}
          </p>
        )}
        {(notLoaded ?? failure) !== null && <LoginFailure error={notLoaded ?? failure} />}
      </form>
    </>
  )
}
