import { digitsIn, limits } from '@pult/contract'
import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import styles from './OtpSetUp.module.css'
import { useActivateOtp } from './otp.queries.ts'
import { texts } from './otp.texts.ts'

/** Activates the second factor with a code that proves that the authenticator has the secret. */
export function Activation({ onEnd }: { onEnd: () => void }) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { mutateAsync: activate, isPending } = useActivateOtp()
  const field = useRef<HTMLInputElement>(null)

  const enter = (typed: string) => {
    // Authenticators display and copy codes with a space in the middle.
    setCode(digitsIn(typed).slice(0, limits.otpLength))
    setProblem(null)
  }

  const refuse = (reason: string) => {
    setProblem(reason)
    field.current?.focus()
    field.current?.select()
  }

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    if (code.length < limits.otpLength) return refuse(texts.codeMissing)
    try {
      await activate(code)
      notify.success(texts.activated, texts.activatedText)
      onEnd()
    } catch (error) {
      if (isCancelled(error)) return
      notify.error(texts.activationError, error)
      if (hasCode(error, 'OTP_REFUSED')) refuse(messageOf(error))
      // Another tab has started a new enrolment, so this secret is no longer valid.
      if (hasCode(error, 'OTP_NOT_STARTED')) onEnd()
    }
  }

  return (
    <form className={styles.activation} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        ref={field}
        className={styles.code}
        label={texts.code}
        name="otp"
        autoComplete="one-time-code"
        inputMode="numeric"
        enterKeyHint="done"
        spellCheck={false}
        value={code}
        error={problem}
        onChange={(event) => enter(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button onClick={onEnd}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.activating}>
          {texts.activate}
        </Button>
      </div>
    </form>
  )
}

function hasCode(error: unknown, code: ApiError['code']): boolean {
  return error instanceof ApiError && error.code === code
}
