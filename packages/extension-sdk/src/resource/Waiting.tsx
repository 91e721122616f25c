import { Awaited } from '@pult/ui'
import { LoadingFailed } from './LoadingFailed.tsx'
import styles from './Waiting.module.css'

export interface WaitingProps {
  /** Title of a failed load: "The cues could not be loaded". */
  failed: string
  /** Null while the content loads. */
  error: Error | null
  onRetry: () => void
}

/**
 * Reserves a list's space until it has loaded, or shows the error. Meanwhile the content that follows on the page stays
 * hidden.
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
