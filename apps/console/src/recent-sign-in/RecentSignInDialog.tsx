import { Button, Dialog, DialogActions } from '@pult/ui'
import { usableMethods } from './methods.ts'
import { ProofForm } from './ProofForm.tsx'
import type { ProofRequest } from './recent-sign-in.queries.ts'
import { texts } from './recent-sign-in.texts.ts'

/** Asks in place for a proof of who is there, by any of the ways that the person has. Esc turns back. */
export function RecentSignInDialog({ open, methods, onProved, onCancel }: ProofRequest) {
  const usable = usableMethods(methods)
  return (
    <Dialog open={open} title={texts.title} onClose={onCancel}>
      {usable.length > 0 ? (
        <ProofForm methods={usable} onProved={onProved} onCancel={onCancel} />
      ) : (
        <>
          <p>{texts.noMethod}</p>
          <DialogActions>
            <Button onClick={onCancel}>{texts.cancel}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
