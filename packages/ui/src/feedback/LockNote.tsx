import Lock from 'lucide-react/icons/lock'
import type { ReactNode } from 'react'
import styles from './LockNote.module.css'

/** Names the role that may change something, for users who may only read it. */
export function LockNote({ children }: { children: ReactNode }) {
  return (
    <span className={styles.lock}>
      <Lock aria-hidden="true" />
      {children}
    </span>
  )
}
