import { Alert, Button } from '@pult/ui'
import { messageOf } from '../api-error.ts'
import { useResourceTexts } from './resource.texts.ts'

export interface LoadingFailedProps {
  /** What could not be loaded. */
  title: string
  error: unknown
  onRetry: () => void
}

/**
 * Stands where something would be shown that the server did not answer.
 *
 * @example <LoadingFailed title="Loading failed" error={error} onRetry={() => void refetch()} />
 */
export function LoadingFailed({ title, error, onRetry }: LoadingFailedProps) {
  const texts = useResourceTexts()
  return (
    <Alert tone="danger" title={title} action={<Button onClick={onRetry}>{texts.retry}</Button>}>
      {messageOf(error)}
    </Alert>
  )
}
