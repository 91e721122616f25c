import { type Confirmation, confirmEndpoints, digitsIn, limits } from '@pult/contract'
import { Alert, Button, DialogActions, KnownUsername, PasswordField, TextField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { api } from '#platform/api.ts'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { lateModule } from '#platform/late-module.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { MethodChoice } from './MethodChoice.tsx'
import type { Method } from './methods.ts'
import styles from './ProofForm.module.css'
import { texts } from './recent-sign-in.texts.ts'

const passkeyCeremony = lateModule(() => import('./passkey-proof.ts'))

interface ProofFormProps {
  /** At least one. The first is preselected. */
  methods: readonly Method[]
  onProved: () => void
  onCancel: () => void
}

export function ProofForm({ methods, onProved, onCancel }: ProofFormProps) {
  const { email } = useCredentials()
  const [chosen, setChosen] = useState<Method | null>(null)
  const method = chosen ?? methods[0]
  const [missing, setMissing] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)

  // Aborts running requests when the dialog closes.
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  // Browsers prompt for a passkey only shortly after a click, so its code must have loaded by then.
  const hasPasskey = methods.includes('passkey')
  useEffect(() => {
    if (hasPasskey) void passkeyCeremony.load().catch(() => {})
  }, [hasPasskey])

  const choose = (next: Method) => {
    setChosen(next)
    setMissing(null)
    setFailure(null)
  }
  const proofOf = async (typed: string, signal: AbortSignal): Promise<Confirmation> => {
    if (method === 'password') return { type: 'password', password: typed }
    if (method === 'otp') return { type: 'otp', otp: typed }
    const { passkeyProof } = await passkeyCeremony.load()
    return passkeyProof(signal)
  }
  const prove = async (typed: string) => {
    const { signal } = leaving.current
    setPending(true)
    setFailure(null)
    try {
      await api(confirmEndpoints.confirm, { body: await proofOf(typed, signal), signal })
      onProved()
    } catch (error) {
      if (signal.aborted) return
      setFailure(error)
      setPending(false)
      if (field.current) field.current.value = ''
      field.current?.focus()
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    const typed = method === 'otp' ? digitsIn(field.current?.value ?? '') : (field.current?.value ?? '')
    const message = messageOfMissing(method, typed)
    setMissing(message)
    if (message === null) void prove(typed)
    else field.current?.focus()
  }

  const common = {
    ref: field,
    error: missing,
    enterKeyHint: 'go',
    // Keeps the focus on the methods for keyboard users.
    autoFocus: chosen === null,
    onChange: () => setMissing(null),
  } as const
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.text}>{texts.text}</p>
      {methods.length > 1 && <MethodChoice methods={methods} chosen={method} onChoose={choose} />}
      {method === 'password' && (
        <>
          <KnownUsername value={email} />
          <PasswordField
            {...common}
            label={texts.password}
            name="password"
            autoComplete="current-password"
            showPasswordLabel={texts.showPassword}
            hidePasswordLabel={texts.hidePassword}
          />
        </>
      )}
      {method === 'otp' && (
        <TextField
          {...common}
          label={texts.otp}
          description={texts.otpHint}
          name="otp"
          autoComplete="one-time-code"
          inputMode="numeric"
        />
      )}
      {method === 'passkey' && <p className={styles.hint}>{texts.passkeyHint}</p>}
      {failure !== null && <Alert tone="danger">{explain(failure)}</Alert>}
      <DialogActions>
        <Button onClick={onCancel}>{texts.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          pending={isPending}
          pendingLabel={texts.confirming}
          autoFocus={method === 'passkey' && chosen === null}
        >
          {method === 'passkey' ? texts.askForPasskey : texts.confirm}
        </Button>
      </DialogActions>
    </form>
  )
}

function messageOfMissing(method: Method | undefined, typed: string): string | null {
  if (method === 'password' && typed === '') return texts.passwordMissing
  if (method === 'otp' && typed.length !== limits.otpLength) return texts.otpMissing
  return null
}

function explain(failure: unknown): string {
  // Browser errors of a cancelled passkey request are written for developers.
  if (!(failure instanceof ApiError)) return texts.passkeyFailed
  const { retryAfter = 0 } = failure
  return retryAfter > 0 ? `${messageOf(failure)}. ${texts.tryAgainIn(retryAfter)}` : messageOf(failure)
}
