import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Badge.module.css'

export interface BadgeProps {
  /** Above 99 it reads "99+"; at 0 there is no badge. */
  count: number
  /** What is counted, for screen readers: "3 running tasks". Without it the bare number is read. */
  label?: string | undefined
}

/** How many wait behind a button or an item. */
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
