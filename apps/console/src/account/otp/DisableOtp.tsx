import { Button, ConfirmDialog } from '@pult/ui'
import { useState } from 'react'
import { notify } from '#platform/notify.ts'
import { useDisableOtp } from './otp.queries.ts'
import { texts } from './otp.texts.ts'

export function DisableOtp({ onDisabled }: { onDisabled: () => void }) {
  const { mutateAsync: disable, isPending } = useDisableOtp()
  const [isAsking, setAsking] = useState(false)

  const confirm = async () => {
    // Closes first, because a step-up dialog may take its place.
    setAsking(false)
    try {
      await disable()
      notify.success(texts.removed, texts.removedText)
      onDisabled()
    } catch (error) {
      notify.error(texts.resetError, error)
    }
  }

  return (
    <>
      <Button
        variant="danger-quiet"
        pending={isPending}
        pendingLabel={texts.disabling}
        onClick={() => setAsking(true)}
      >
        {texts.disable}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={texts.disableQuestion}
        confirmLabel={texts.confirmDisable}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        {texts.disableWarning}
      </ConfirmDialog>
    </>
  )
}
