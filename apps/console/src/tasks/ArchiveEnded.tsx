import { Button } from '@pult/ui'
import { showNotification } from '#platform/console-host.ts'
import { notify } from '#platform/notify.ts'
import { useArchiveEnded, useRestoreEnded } from './tasks.queries.ts'
import { texts } from './tasks.texts.ts'

/** Archives all ended tasks that the user may archive, and offers Undo (DEC-20). */
export function ArchiveEnded({ projectId, disabled }: { projectId: string; disabled: boolean }) {
  const { mutateAsync: archiveEnded, isPending } = useArchiveEnded()
  const { mutateAsync: restoreEnded } = useRestoreEnded()

  const archive = async () => {
    const archiving = { projectId, archivingId: newId() }
    try {
      await archiveEnded(archiving)
      const undo = () => restoreEnded(archiving)
      showNotification({ title: texts.endedArchived, tone: 'success', undo })
    } catch (error) {
      notify.error(texts.archiveFailed, error)
    }
  }
  return (
    <Button disabled={disabled} pending={isPending} onClick={() => void archive()}>
      {texts.archiveEnded}
    </Button>
  )
}

/** Not `randomUUID`: pages without https do not have it. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
