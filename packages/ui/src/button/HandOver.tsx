import type { ReactNode } from 'react'
import { TextField } from '../field/TextField.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './HandOver.module.css'

export interface HandOverProps {
  /** Names the recipient ("Hand this link over to ada@example.org"). */
  title: ReactNode
  /** The reason for handing it over, and its expiry. */
  children: ReactNode
  link: string
  /** The link's label ("Invitation link"). */
  label: string
  copyLabel: string
  copiedLabel: string
  failedLabel: string
}

/** Shows a link that was not sent, so that the user can read, copy and pass it on. */
export function HandOver({
  title,
  children,
  link,
  label,
  copyLabel,
  copiedLabel,
  failedLabel,
}: HandOverProps) {
  return (
    <div className={styles.handOver}>
      <p>
        <strong>{title}</strong>
        <br />
        {children}
      </p>
      <TextField
        label={label}
        readOnly
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={link} copiedLabel={copiedLabel} failedLabel={failedLabel}>
        {copyLabel}
      </CopyButton>
    </div>
  )
}
