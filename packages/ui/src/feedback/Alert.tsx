import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Alert.module.css'
import { ToneIcon } from './ToneIcon.tsx'
import type { Tone } from './tone.ts'

export interface AlertProps {
  tone: Tone
  /** A short title ("Access denied"). Omit it if the text begins with one. */
  title?: ReactNode
  children?: ReactNode
  /** A button or link that helps. */
  action?: ReactNode
  className?: string | undefined
}

/**
 * Shows a message in the page. Danger and warning interrupt a screen reader (role `alert`), info and success wait (role
 * `status`).
 */
export function Alert({ tone, title, children, action, className }: AlertProps) {
  return (
    <div
      className={classNames(styles.alert, className)}
      data-tone={tone}
      role={tone === 'danger' || tone === 'warning' ? 'alert' : 'status'}
    >
      <ToneIcon tone={tone} className={styles.icon} />
      <div className={styles.message}>
        {title !== undefined && <strong className={styles.title}>{title}</strong>}
        <div className={title === undefined ? styles.lead : undefined}>{children}</div>
      </div>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
