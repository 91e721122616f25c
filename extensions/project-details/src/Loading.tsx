import { Alert, Button, Skeleton } from '@pult/sdk/ui'
import styles from './ProjectDetails.module.css'
import { texts } from './project-details.texts.ts'

interface LoadingProps {
  /** What could not be loaded, as a title. */
  failed: string
  /** Null while it is on its way. */
  error: Error | null
  onRetry: () => void
}

/** Holds the place of what is on its way; says why when it does not come. */
export function Loading({ failed, error, onRetry }: LoadingProps) {
  return (
    <div className={styles.waiting} aria-busy={error === null}>
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
