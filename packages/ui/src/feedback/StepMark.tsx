import { Spinner } from './Spinner.tsx'
import styles from './StepMark.module.css'

export type StepState = 'waiting' | 'running' | 'done' | 'failed'

/**
 * Shows the state of a step in a list: a ring, a spinner, a check or a cross, all of one size.
 *
 * @param label the state for screen readers ("done"). Omit it if the step's text contains it.
 */
export function StepMark({ state, label }: { state: StepState; label?: string | undefined }) {
  return (
    <span
      className={styles.mark}
      data-state={state}
      {...(label !== undefined && { role: 'img', 'aria-label': label })}
    >
      {state === 'running' ? (
        <Spinner />
      ) : (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle className={styles.disc} cx="8" cy="8" r="7" />
          {state === 'done' && <path className={styles.stroke} pathLength="1" d="M4.8 8.3l2.2 2.2 4.3-4.8" />}
          {state === 'failed' && (
            <path className={styles.stroke} pathLength="1" d="M5.6 5.6l4.8 4.8m0-4.8-4.8 4.8" />
          )}
        </svg>
      )}
    </span>
  )
}
