import { Button, ConfirmDialog } from '@pult/ui'
import { useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useRenewRecoveryCodes } from './otp.queries.ts'
import { texts } from './otp.texts.ts'

export function RegenerateCodes({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const { mutateAsync: renew, isPending } = useRenewRecoveryCodes()
  const [isAsking, setAsking] = useState(false)

  const confirm = async () => {
    // Closes first, because a step-up dialog may take its place.
    setAsking(false)
    try {
      onCodes((await renew()).recoveryCodes)
    } catch (error) {
      notify.error(texts.regenerationError, error)
    }
  }

  return (
    <>
      <Button pending={isPending} pendingLabel={texts.regenerating} onClick={() => setAsking(true)}>
        {texts.regenerate}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.regenerateQuestion}
        confirmLabel={texts.confirmRegenerate}
        cancelLabel={texts.cancel}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        {texts.regenerateText}
      </ConfirmDialog>
    </>
  )
}
