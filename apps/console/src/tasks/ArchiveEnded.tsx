import { Button, ConfirmDialog } from '@pult/ui'
import { useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { useArchiveEnded } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** Takes all tasks that have ended off the list, as far as the person may, after a question. */
export function ArchiveEnded({ projectId, disabled }: { projectId: string; disabled: boolean }) {
  const [asks, setAsks] = useState(false)
  const { mutateAsync: archiveEnded, isPending, error, reset } = useArchiveEnded()

  const ask = () => {
    reset()
    setAsks(true)
  }
  const confirm = async () => {
    try {
      await archiveEnded(projectId)
      setAsks(false)
    } catch {
      // The dialog says why, and stays.
    }
  }
  return (
    <>
      <Button disabled={disabled} onClick={ask}>
        {texts.archiveEnded}
      </Button>
      <ConfirmDialog
        open={asks}
        title={texts.archiveEndedQuestion}
        confirmLabel={texts.archive}
        cancelLabel={texts.cancel}
        pending={isPending}
        error={error === null ? undefined : messageOf(error)}
        onConfirm={() => void confirm()}
        onCancel={() => setAsks(false)}
      >
        {texts.archiveEndedText}
      </ConfirmDialog>
    </>
  )
}
