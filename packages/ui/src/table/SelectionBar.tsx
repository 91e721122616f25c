import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'
import styles from './SelectionBar.module.css'

export interface SelectionBarProps {
  /** The number of selected rows: "3 selected". */
  label: string
  /** A quiet note, such as the rows that the actions skip. */
  note?: ReactNode
  clearLabel: string
  onClear: () => void
  /** The actions for the selected rows: Buttons. */
  children?: ReactNode
}

/**
 * Shows the actions for the selected rows of a list. It stays at the lower edge of the window while the list scrolls.
 */
export function SelectionBar({ label, note, clearLabel, onClear, children }: SelectionBarProps) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={label}>
      <strong className={styles.label} role="status">
        {label}
      </strong>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      <span className={styles.actions}>{children}</span>
      <Button variant="ghost" icon={<X />} onClick={onClear}>
        {clearLabel}
      </Button>
    </div>
  )
}
