import { Alert, Button, Skeleton } from '@pult/sdk/ui'
import styles from './extensions.module.css'
import { texts } from './extensions.texts.ts'

interface AwaitedProps {
  /** What could not be loaded. */
  failed: string
  /** Null while it is on its way. */
  error: Error | null
  onRetry: () => void
}

/** Holds the place of what is on its way; says why when it does not come. */
export function Awaited({ failed, error, onRetry }: AwaitedProps) {
  return (
    <div className={styles.awaited} aria-busy={error === null}>
      {error === null ? (
        <>
          <Skeleton height="38px" />
          <Skeleton height="38px" />
        </>
      ) : (
        <Alert tone="danger" title={failed} action={<Button onClick={onRetry}>{texts.retry}</Button>}>
          {error.message}
        </Alert>
      )}
    </div>
  )
}
