import { useAppNavigate, useChange, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button, Card, ConfirmedAction, keepFocus } from '@pult/sdk/ui'
import { type ReactNode, useState } from 'react'
import { CommandDialog } from './CommandDialog.tsx'
import styles from './edges.module.css'
import { edgeData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { useNewCode } from './use-new-code.ts'

/** Enrols another machine for the edge, moves it, revokes the current one, or deletes the edge. */
export function EnrolmentCard({ edge }: { edge: Edge }) {
  const navigate = useAppNavigate()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  const revoke = useChange(edgeEndpoints.revoke, () => ({ params }), { touches: edgeData })
  const remove = useChange(edgeEndpoints.remove, () => ({ params }), {
    touches: edgeData,
    leaves: `/projects/${projectId}/edges/${edge._id}`,
  })
  const newCode = useNewCode()
  const [isMoving, setMoving] = useState(false)
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.danger} flush>
      <Power hint={texts.newCodeHint}>
        <Button pending={newCode.isPending} onClick={() => newCode.create(edge)}>
          {texts.newCode}
        </Button>
      </Power>
      <Power hint={texts.moveHint}>
        <Button onClick={() => setMoving(true)}>{texts.move}</Button>
      </Power>
      {edge.state !== 'revoked' && (
        <Power hint={texts.revokeHint}>
          <ConfirmedAction
            label={texts.revoke}
            variant="danger-quiet"
            question={texts.revokeQuestion(edge.label)}
            text={texts.revokeText}
            done={texts.revoked}
            run={() => revoke.mutateAsync()}
          />
        </Power>
      )}
      <Power hint={texts.deleteHint}>
        <ConfirmedAction
          label={texts.delete}
          variant="danger-quiet"
          question={texts.deleteQuestion(edge.label)}
          text={texts.deleteText}
          confirmLabel={texts.remove}
          done={texts.deleted(edge.label)}
          run={() => remove.mutateAsync()}
          onDone={() => navigate('', { replace: true })}
        />
      </Power>
      {isMoving && <MoveDialog edge={edge} onClose={() => setMoving(false)} />}
      {newCode.made !== null && <CommandDialog made={newCode.made} onClose={newCode.close} />}
    </Card>
  )
}

function Power({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className={styles.power}>
      <p className={styles.quiet}>{hint}</p>
      {children}
    </div>
  )
}
