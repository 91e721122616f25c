import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Spinner.module.css'

/**
 * Work of unknown length. Takes the size and colour of the text around it.
 *
 * @param label what is going on ("Loading projects"), announced politely. Leave it out where text beside the spinner
 *   already says so: the spinner is then decoration.
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
