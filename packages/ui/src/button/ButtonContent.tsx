import type { ReactNode } from 'react'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './Button.module.css'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'

export interface ButtonLook {
  /**
   * Use one `primary` per view; `danger` for the confirming button of a dialog; `danger-quiet` for a destructive
   * action on a page, which asks for confirmation.
   */
  variant?: ButtonVariant | undefined
  /** An icon before the label, from `lucide-react/icons/…`. */
  icon?: ReactNode
}

interface ButtonContentProps {
  icon: ReactNode
  shortcut?: Shortcut | undefined
  children: ReactNode
}

export function ButtonContent({ icon, shortcut, children }: ButtonContentProps) {
  return (
    <span className={styles.content}>
      {icon}
      {typeof children === 'string' ? <span className={styles.label}>{children}</span> : children}
      {shortcut !== undefined && (
        // The button's aria-keyshortcuts announces the shortcut, which must not become part of the accessible name.
        <span className={styles.shortcut} aria-hidden="true">
          <Kbd keys={shortcut} />
        </span>
      )}
    </span>
  )
}
