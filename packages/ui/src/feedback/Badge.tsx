import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Badge.module.css'

export interface BadgeProps {
  /** Values above 99 show "99+"; 0 shows no badge. */
  count: number
  /** Description for screen readers: "3 running tasks". Without it they read the bare number. */
  label?: string | undefined
}

/** Shows the number of pending items behind a button or a menu item. */
export function Badge({ count, label }: BadgeProps) {
  if (count <= 0) return null
  const shown = count > 99 ? '99+' : count
  if (label === undefined) return <span className={styles.badge}>{shown}</span>
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{shown}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
