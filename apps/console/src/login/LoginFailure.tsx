import { Alert } from '@pult/ui'
import { FailureMessage } from './FailureMessage.tsx'

/** Shows a server error below a form, with the waiting time of a rate limit. */
export function LoginFailure({ error }: { error: unknown }) {
  return (
    <Alert tone="danger">
      <FailureMessage error={error} />
    </Alert>
  )
}
