import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

export interface EmptyStateProps {
  /** From `lucide-react/icons/…`. */
  icon?: ReactNode
  title: ReactNode
  /** The next step, or the reason why the list is empty. */
  text?: ReactNode
  /** The button or link of the next step. */
  action?: ReactNode
  /** The heading's level within the page; 2 by default. */
  level?: 1 | 2 | 3 | undefined
}

/** Replaces an empty list or page: states that it is empty and offers the next step. */
export function EmptyState({ icon, title, text, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className={styles.empty}>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <Heading className={styles.title}>{title}</Heading>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
