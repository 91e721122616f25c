import { isCancelled, useApi, useAppNavigate, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button, Card, ConfirmedAction, keepFocus } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CommandDialog, type NewCode } from './CommandDialog.tsx'
import styles from './edges.module.css'
import { useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Which machine this edge is: another one, none, or none for ever. */
export function EnrolmentCard({ edge }: { edge: Edge }) {
  const call = useApi()
  const notify = useNotify()
  const navigate = useAppNavigate()
  const readAgain = useReadAgain()
  const { _id: projectId } = useProject()
  const [made, setMade] = useState<NewCode | null>(null)
  const params = { projectId, edgeId: edge._id }
  const newCode = useMutation({
    mutationFn: () => call(edgeEndpoints.newCode, { params }),
    onSuccess: async (code) => {
      // What was read before knows nothing of the code.
      await readAgain()
      setMade({ ...code, edgeId: edge._id, label: edge.label })
    },
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.newCodeFailed, error })
    },
  })
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.card} title={texts.danger} flush>
      <Power hint={texts.newCodeHint}>
        <Button pending={newCode.isPending} onClick={() => newCode.mutate()}>
          {texts.newCode}
        </Button>
      </Power>
      {edge.state !== 'revoked' && (
        <Power hint={texts.revokeHint}>
          <ConfirmedAction
            label={texts.revoke}
            variant="danger-quiet"
            question={texts.revokeQuestion(edge.label)}
            text={texts.revokeText}
            done={texts.revoked}
            run={() => call(edgeEndpoints.revoke, { params })}
            onSettled={readAgain}
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
          run={() => call(edgeEndpoints.remove, { params })}
          onDone={() => navigate('', { replace: true })}
        />
      </Power>
      {made !== null && <CommandDialog made={made} onClose={() => setMade(null)} />}
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
