import type { TaskToken } from '@pult/sdk/api'
import { ConfirmedRemoval } from '../ConfirmedRemoval.tsx'
import { useRevokeToken } from './tokens.queries.ts'
import { texts } from './tokens.texts.ts'

interface RevokeTokenProps {
  token: TaskToken
  open: boolean
  onClose: () => void
  onRemoved: () => void
}

/** Revokes a task token after confirmation. */
export function RevokeToken({ token, ...dialog }: RevokeTokenProps) {
  return (
    <ConfirmedRemoval
      {...dialog}
      removal={useRevokeToken()}
      id={token._id}
      title={texts.revokeQuestion}
      confirmLabel={texts.revoke}
      cancelLabel={texts.cancel}
      removed={texts.revoked}
    >
      {texts.revokeText(token.label)}
    </ConfirmedRemoval>
  )
}
