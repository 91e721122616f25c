import { Awaited } from '@pult/ui'
import { LoadingFailed } from './LoadingFailed.tsx'
import styles from './Waiting.module.css'

export interface WaitingProps {
  /** What could not be loaded, as a title. */
  failed: string
  /** Null while it is on its way. */
  error: Error | null
  onRetry: () => void
}

/**
 * Reserves a list's space until it is loaded; shows the error if it fails. What follows on the page is held back meanwhile.
 *
 * @example if (data === undefined) return <Waiting failed="Loading failed" error={error} onRetry={() => void refetch()} />
 */
export function Waiting({ failed, error, onRetry }: WaitingProps) {
  if (error === null) return <Awaited className={styles.waiting} height="38px" count={2} />
  return (
    <div className={styles.waiting}>
      <LoadingFailed title={failed} error={error} onRetry={onRetry} />
    </div>
  )
}
