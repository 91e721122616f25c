import { digitsIn, limits } from '@pult/contract'
import { TextField } from '@pult/ui'
import type { ChangeEvent, RefObject } from 'react'
import styles from './Proof.module.css'
import { texts } from './proof.texts.ts'

interface OtpFieldProps {
  ref: RefObject<HTMLInputElement | null>
  isMissing: boolean
  onChange: () => void
}

export function OtpField({ ref, isMissing, onChange }: OtpFieldProps) {
  // Authenticators copy `123 456`. A maxLength would truncate it before the space is removed.
  const change = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const digits = digitsIn(input.value).slice(0, limits.otpLength)
    if (digits !== input.value) input.value = digits
    onChange()
  }
  return (
    <TextField
      ref={ref}
      className={styles.otp}
      label={texts.otp}
      description={texts.otpHint}
      name="otp"
      autoComplete="one-time-code"
      inputMode="numeric"
      enterKeyHint="go"
      error={isMissing && texts.otpMissing}
      onChange={change}
    />
  )
}
