import type { ReactNode } from 'react'
import styles from './StatusDot.module.css'

export type Status = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

// One outline each, so that the states stay apart without colour.
const shapes: Record<Status, ReactNode> = {
  success: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warning: <path d="M5 .8 9.6 9H.4z" fill="currentColor" />,
  danger: <path d="M5 0l5 5-5 5-5-5z" fill="currentColor" />,
  info: (
    <>
      <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  neutral: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.6" />,
}

/** A state as a shape and a word: `<StatusDot status="success">Online</StatusDot>`. */
export function StatusDot({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <span className={styles.status} data-status={status}>
      <svg className={styles.shape} viewBox="0 0 10 10" aria-hidden="true">
        {shapes[status]}
      </svg>
      {children}
    </span>
  )
}
