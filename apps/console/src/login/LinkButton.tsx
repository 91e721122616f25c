import { Spinner, VisuallyHidden } from '@pult/ui'
import styles from './Proof.module.css'

interface LinkButtonProps {
  onClick: () => void
  /** The action runs. Screen readers announce `pendingLabel`. */
  pending?: boolean
  pendingLabel?: string
  children: string
}

/** A button that looks like a link, because it has no URL. */
export function LinkButton({ onClick, pending = false, pendingLabel, children }: LinkButtonProps) {
  return (
    <>
      <button
        type="button"
        className={styles.link}
        aria-disabled={pending || undefined}
        onClick={pending ? undefined : onClick}
      >
        {children}
        {pending && <Spinner />}
      </button>
      {pendingLabel !== undefined && <VisuallyHidden role="status">{pending && pendingLabel}</VisuallyHidden>}
    </>
  )
}
