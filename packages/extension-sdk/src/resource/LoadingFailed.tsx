import { Alert, Button } from '@pult/ui'
import { messageOf } from './api-error.ts'
import { texts } from './platform.texts.ts'

interface LoadingFailedProps {
  /** What could not be loaded. */
  title: string
  error: unknown
  onRetry: () => void
}

/** Stands where something would be shown that the server did not answer. */
export function LoadingFailed({ title, error, onRetry }: LoadingFailedProps) {
  return (
    <Alert tone="danger" title={title} action={<Button onClick={onRetry}>{texts.retry}</Button>}>
      {messageOf(error)}
    </Alert>
  )
}
