import { Alert, Button, Skeleton } from '@pult/ui'
import { messageOf } from '../api-error.ts'
import { useResourceTexts } from './resource.texts.ts'
import styles from './Waiting.module.css'

export interface WaitingProps {
  /** What could not be loaded, as a title. */
  failed: string
  /** Null while it is on its way. */
  error: Error | null
  onRetry: () => void
}

/**
 * Holds a list's place until it is there; says why when it does not come.
 *
 * @example if (data === undefined) return <Waiting failed="Loading failed" error={error} onRetry={() => void refetch()} />
 */
export function Waiting({ failed, error, onRetry }: WaitingProps) {
  const texts = useResourceTexts()
  return (
    <div className={styles.waiting} aria-busy={error === null}>
      {error === null ? (
        <>
          <Skeleton height="38px" />
          <Skeleton height="38px" />
        </>
      ) : (
        <Alert tone="danger" title={failed} action={<Button onClick={onRetry}>{texts.retry}</Button>}>
          {messageOf(error)}
        </Alert>
      )}
    </div>
  )
}
