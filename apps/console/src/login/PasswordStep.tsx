import { limits } from '@pult/contract'
import { Button, PasswordField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { identityCalls } from '#platform/identity.ts'
import { useFocusOnMount } from './focus-on-mount.ts'
import styles from './Login.module.css'
import { LoginFailure } from './LoginFailure.tsx'
import { texts } from './login.texts.ts'
import { Username } from './Username.tsx'

interface PasswordStepProps {
  username: string
  onChangeUsername: () => void
  onAbort: () => void
  onToken: (token: string) => void
}

export function PasswordStep({ username, onChangeUsername, onAbort, onToken }: PasswordStepProps) {
  const field = useFocusOnMount<HTMLInputElement>()
  const [isMissing, setMissing] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  // Who leaves this step does not want to be signed in by an answer that comes later.
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const logIn = async (password: string) => {
    const { signal } = leaving.current
    setPending(true)
    setFailure(null)
    try {
      const { logIn: askServer } = await identityCalls.load()
      const { token } = await askServer({ username, password }, signal)
      if (token !== undefined) onToken(token)
    } catch (error) {
      if (signal.aborted) return
      setFailure(error)
      setPending(false)
      if (!field.current) return
      field.current.value = ''
      field.current.focus()
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const password = field.current?.value ?? ''
    const tooShort = [...password].length < limits.loginPasswordMin
    setMissing(tooShort)
    if (tooShort) field.current?.focus()
    else if (!isPending) void logIn(password)
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Username username={username} onChange={onChangeUsername} />
      {/* Tells password managers whose password this is. */}
      <input
        className={styles.forManagers}
        name="username"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField
        ref={field}
        label={texts.password}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        showPasswordLabel={texts.showPassword}
        hidePasswordLabel={texts.hidePassword}
        error={isMissing && texts.passwordMissing}
        onChange={() => setMissing(false)}
      />
      <div className={styles.buttons}>
        <Button onClick={onAbort}>{texts.abort}</Button>
        <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.signingIn}>
          {texts.login}
        </Button>
      </div>
      {failure !== null && <LoginFailure error={failure} />}
    </form>
  )
}
