import { Alert, Button } from '@pult/ui'
import { isFailedLoad, useReloadOnReturn } from '#platform/failed-load.ts'
import { texts } from './extensions.texts.ts'

interface AppFailureProps {
  label: string
  error: Error
  onRetry: () => void
}

/** Replaces an app that failed. React keeps code that did not load as failed, so only a reload helps there. */
export function AppFailure({ label, error, onRetry }: AppFailureProps) {
  const isLoad = isFailedLoad(error)
  useReloadOnReturn(isLoad)
  return (
    <Alert
      tone="danger"
      title={texts.failed(label)}
      action={<Button onClick={isLoad ? () => location.reload() : onRetry}>{texts.retry}</Button>}
    >
      {error.message}
    </Alert>
  )
}
