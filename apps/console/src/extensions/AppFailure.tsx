import { Alert, Button } from '@pult/ui'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import {
  isFailedImport,
  isFailedLoad,
  reloadWithoutLoss,
  useOnAnswer,
  useOnReturn,
} from '#platform/failed-load.ts'
import { openDocument } from '#platform/storage.ts'
import { texts } from './extensions.texts.ts'

interface AppFailureProps {
  label: string
  error: Error
  onRetry: () => void
}

/** Replaces an app that failed. React caches a failed load of code, so only a reload of the page helps then. */
export function AppFailure({ label, error, onRetry }: AppFailureProps) {
  const { reset } = useQueryErrorResetBoundary()
  const needsReload = isFailedImport(error)
  const retry = () => {
    // Without this a failed query throws its error again.
    reset()
    onRetry()
  }
  useOnReturn(isFailedLoad(error), needsReload ? reloadWithoutLoss : retry)
  // The missing code of one app does not justify a reload of all others.
  useOnAnswer(isFailedLoad(error) && !needsReload, retry)
  return (
    <Alert
      tone="danger"
      title={texts.failed(label)}
      action={<Button onClick={needsReload ? () => openDocument() : retry}>{texts.retry}</Button>}
    >
      {error.message}
    </Alert>
  )
}
