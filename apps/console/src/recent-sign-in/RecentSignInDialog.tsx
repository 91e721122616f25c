import { Button, Dialog, DialogActions } from '@pult/ui'
import { usableMethods } from './methods.ts'
import { ProofForm } from './ProofForm.tsx'
import type { ProofRequest } from './recent-sign-in.queries.ts'
import { texts } from './recent-sign-in.texts.ts'

/** Asks for a step-up authentication by one of the user's methods. Esc cancels. */
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
