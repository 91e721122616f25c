import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Spinner.module.css'

/**
 * Shows that work of unknown length is running. Takes the size and colour of the surrounding text.
 *
 * @param label the work ("Loading projects"), announced politely. Omit it if text beside the spinner names the work:
 *   screen readers then skip the spinner.
 */
export function Spinner({ label }: { label?: string | undefined }) {
  const ring = (
    <svg className={styles.spinner} viewBox="0 0 16 16" aria-hidden="true">
      <circle className={styles.track} cx="8" cy="8" r="6.5" />
      <circle className={styles.arc} cx="8" cy="8" r="6.5" pathLength="100" />
    </svg>
  )
  if (label === undefined) return ring
  return (
    <span className={styles.labelled} role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
