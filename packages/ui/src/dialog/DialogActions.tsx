import type { ReactNode } from 'react'
import styles from './DialogActions.module.css'

/** Renders the buttons at the end of a dialog: cancel first, confirm last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
