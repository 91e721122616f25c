import { Spinner, VisuallyHidden } from '@pult/ui'
import styles from './Proof.module.css'

interface LinkButtonProps {
  onClick: () => void
  /** The action runs; said to screen readers by `pendingLabel`. */
  pending?: boolean
  pendingLabel?: string
  children: string
}

/** An action in a link's clothes: it leads somewhere, but to no address. */
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
