import { Button } from '@pult/ui'
import type { ReactNode } from 'react'
import styles from './RecordForm.module.css'

export interface SaveBarProps {
  /** Further actions of the record. */
  children?: ReactNode
  label: string
  pendingLabel: string
  disabled: boolean
  pending: boolean
}

/** Renders the end of a form, which stays in view while the form is longer than the screen. */
export function SaveBar({ children, label, pendingLabel, disabled, pending }: SaveBarProps) {
  return (
    <div className={styles.bar}>
      {children}
      <Button
        type="submit"
        variant="primary"
        shortcut="Mod+S"
        disabled={disabled}
        pending={pending}
        pendingLabel={pendingLabel}
      >
        {label}
      </Button>
    </div>
  )
}
