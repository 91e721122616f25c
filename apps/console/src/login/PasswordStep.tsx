import { limits } from '@pult/contract'
import { Button, KnownUsername, PasswordField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#platform/api-error.ts'
import { useAttempt } from './attempt.ts'
import { LinkButton } from './LinkButton.tsx'
import login from './Login.module.css'
import { LoginFailure } from './LoginFailure.tsx'
import { MailFailed, MailSent } from './MailOutcome.tsx'
import { OtpField } from './OtpField.tsx'
import styles from './Proof.module.css'
import { passwordCalls } from './password.ts'
import { texts } from './proof.texts.ts'
import { loaded } from './proof.ts'
import { Username } from './Username.tsx'

type PasswordCalls = Awaited<ReturnType<typeof passwordCalls.load>>

/** The outcome of a mail request. */
type RequestedMail = { sent: string } | { error: unknown }

export interface ProofProps {
  username: string
  onChangeUsername: () => void
  onAbort: () => void
  onToken: (token: string) => void
}

export function PasswordStep({ username, onChangeUsername, onAbort, onToken }: ProofProps) {
  const password = useRef<HTMLInputElement>(null)
  const otp = useRef<HTMLInputElement>(null)
  /** Proof of the correct password, held until the user enters the OTP. */
  const [voucher, setVoucher] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [mail, setMail] = useState<RequestedMail | null>(null)
  const { pending, attempt } = useAttempt<'login' | 'reset' | 'recovery'>()

  const field = voucher === null ? password : otp
  useEffect(() => field.current?.focus({ preventScroll: true }), [field, mail])

  const refuse = (error: unknown) => {
    setFailure(error)
    if (isVoucherOver(error)) setVoucher(null)
    for (const { current } of [password, otp]) if (current) current.value = ''
    field.current?.focus()
  }

  const logIn = async (entered: string) => {
    setFailure(null)
    const outcome = await attempt('login', async (signal) => {
      const calls = await loaded(passwordCalls)
      return voucher === null
        ? calls.logIn({ username, password: entered }, signal)
        : calls.logInByOtp({ voucher, otp: entered }, signal)
    })
    if (outcome === null) return
    if ('error' in outcome) refuse(outcome.error)
    else if (outcome.answer.token !== undefined) onToken(outcome.answer.token)
    else setVoucher(outcome.answer.voucher ?? null)
  }

  const requestMail = async (
    name: 'reset' | 'recovery',
    text: string,
    ask: (calls: PasswordCalls, signal: AbortSignal) => Promise<true>,
  ) => {
    setFailure(null)
    const outcome = await attempt(name, async (signal) => ask(await loaded(passwordCalls), signal))
    if (outcome === null) return
    setMail('error' in outcome ? outcome : { sent: text })
    if ('error' in outcome && isVoucherOver(outcome.error)) setVoucher(null)
  }
  const forgotPassword = () =>
    requestMail('reset', texts.resetMail(username), (calls, signal) =>
      calls.requestPasswordReset(username, signal),
    )
  const recoverAccount = (known: string) =>
    requestMail('recovery', texts.recoveryMail, (calls, signal) => calls.requestOtpRecovery(known, signal))

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const entered = field.current?.value ?? ''
    const least = voucher === null ? limits.loginPasswordMin : limits.otpLength
    const tooShort = [...entered].length < least
    setMissing(tooShort)
    // Two messages together would leave open which of them counts.
    if (tooShort) setFailure(null)
    if (tooShort) field.current?.focus()
    else void logIn(entered)
  }

  if (mail !== null) {
    return 'sent' in mail ? (
      <MailSent text={mail.sent} onBack={onChangeUsername} />
    ) : (
      <MailFailed error={mail.error} onBack={() => setMail(null)} />
    )
  }
  return (
    <>
      <h1>{texts.title}</h1>
      <form className={login.form} onSubmit={submit} noValidate>
        <Username username={username} onChange={onChangeUsername} />
        <KnownUsername value={username} />
        <div>
          <PasswordField
            ref={password}
            label={texts.password}
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
            showPasswordLabel={texts.showPassword}
            hidePasswordLabel={texts.hidePassword}
            disabled={voucher !== null}
            placeholder={voucher === null ? undefined : '••••••••'}
            error={voucher === null && isMissing && texts.passwordMissing}
            onChange={() => setMissing(false)}
          />
          {voucher !== null && (
            <OtpField ref={otp} isMissing={isMissing} onChange={() => setMissing(false)} />
          )}
        </div>
        <div className={styles.buttons}>
          <Button onClick={onAbort}>{texts.abort}</Button>
          <Button
            type="submit"
            variant="primary"
            pending={pending === 'login'}
            pendingLabel={texts.signingIn}
          >
            {texts.login}
          </Button>
        </div>
        <div className={styles.links}>
          <LinkButton
            pending={pending === 'reset'}
            pendingLabel={texts.requestingMail}
            onClick={() => void forgotPassword()}
          >
            {texts.forgotPassword}
          </LinkButton>
          {voucher !== null && (
            <LinkButton
              pending={pending === 'recovery'}
              pendingLabel={texts.requestingMail}
              onClick={() => void recoverAccount(voucher)}
            >
              {texts.recoverAccount}
            </LinkButton>
          )}
        </div>
        {failure !== null && <LoginFailure error={failure} />}
      </form>
    </>
  )
}

function isVoucherOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'VOUCHER_NOT_VALID'
}
