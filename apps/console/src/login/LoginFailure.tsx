import { Alert, Button } from '@pult/ui'
import { needsReload } from '#platform/foreign-answer.ts'
import { texts } from '#platform/platform.texts.ts'
import { openDocument } from '#platform/storage.ts'
import { FailureMessage } from './FailureMessage.tsx'

/** Shows a server error below a form, with the waiting time of a rate limit, or a reload that leads to a proxy. */
export function LoginFailure({ error }: { error: unknown }) {
  return (
    <Alert
      tone="danger"
      action={
        needsReload(error) ? <Button onClick={() => openDocument()}>{texts.reloadPage}</Button> : undefined
      }
    >
      <FailureMessage error={error} />
    </Alert>
  )
}
