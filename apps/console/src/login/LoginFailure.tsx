import { Alert } from '@pult/ui'
import { FailureMessage } from './FailureMessage.tsx'

/** Under a form: what the server said, and how long it wants to be left alone. */
export function LoginFailure({ error }: { error: unknown }) {
  return (
    <Alert tone="danger">
      <FailureMessage error={error} />
    </Alert>
  )
}
