import type { ReactNode } from 'react'
import { TextField } from '../field/TextField.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './HandOver.module.css'

export interface HandOverProps {
  /** For whom it is ("Hand this link over to ada@example.org"). */
  title: ReactNode
  /** Why it has to be handed over, and how long it works. */
  children: ReactNode
  link: string
  /** The link's label ("Invitation link"). */
  label: string
  copyLabel: string
  copiedLabel: string
  failedLabel: string
}

/** A link that was not sent: to be read, copied and handed over by hand. */
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
