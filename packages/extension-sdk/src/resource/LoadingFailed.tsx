import { Alert, Button } from '@pult/ui'
import { ApiError, messageOf } from '../api-error.ts'
import { useConsoleHost } from '../host.ts'
import { useResourceTexts } from './resource.texts.ts'

export interface LoadingFailedProps {
  /** Title of a failed load: "The cues could not be loaded". */
  title: string
  error: unknown
  onRetry: () => void
}

/**
 * Replaces content that could not be loaded. The console refetches automatically when the server responds again.
 *
 * @example <LoadingFailed title="Loading failed" error={error} onRetry={() => void refetch()} />
 */
export function LoadingFailed({ title, error, onRetry }: LoadingFailedProps) {
  const texts = useResourceTexts()
  const { openDocument } = useConsoleHost()
  const isUnreachable = error instanceof ApiError && error.code === 'NETWORK'
  // A proxy without a connection to the server has answered.
  const isOffline = isUnreachable && error.status === 0
  // Only a navigation leads to the proxy's sign-in page.
  const isSignInDue = error instanceof ApiError && error.code === 'PROXY_SIGN_IN'
  return (
    <Alert
      tone={isUnreachable ? 'warning' : 'danger'}
      title={title}
      action={
        <Button onClick={() => (isSignInDue ? openDocument() : onRetry())}>
          {isSignInDue ? texts.reloadPage : texts.retry}
        </Button>
      }
    >
      {isOffline ? texts.offline : messageOf(error)}
    </Alert>
  )
}
