import { useChange, useProject } from '@pult/sdk'
import { type TaskToken, taskTokenEndpoints } from '@pult/sdk/api'
import { ConfirmedRemoval } from '../ConfirmedRemoval.tsx'
import { texts } from './tokens.texts.ts'

interface RevokeTokenProps {
  token: TaskToken
  open: boolean
  onClose: () => void
  onRemoved: () => void
}

/** Revokes a task token after confirmation. */
export function RevokeToken({ token, ...dialog }: RevokeTokenProps) {
  const { _id: projectId } = useProject()
  const removal = useChange(
    taskTokenEndpoints.revoke,
    (tokenId: string) => ({ params: { projectId, tokenId } }),
    { touches: [taskTokenEndpoints.list] },
  )
  return (
    <ConfirmedRemoval
      {...dialog}
      removal={removal}
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
