import { type Note, noteEndpoints } from '@pult/contract'
import { Button } from '@pult/ui'
import { useMutation } from '@tanstack/react-query'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { useResource } from '#platform/resource/use-resource.ts'
import { texts } from './notes.texts.ts'

/** Pinned notes come first. */
export function PinNote({ projectId, note: { _id, isPinned } }: { projectId: string; note: Note }) {
  const { exec } = useResource<Note>(noteEndpoints, { projectId })
  const { mutate, isPending } = useMutation({
    mutationFn: () => exec(_id, isPinned ? 'unpin' : 'pin'),
    onError: (error) => {
      if (!isSessionEnd(error)) notify.error(texts.pinningFailed, error)
    },
  })
  return (
    <Button
      icon={isPinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
      pending={isPending}
      onClick={() => mutate()}
    >
      {isPinned ? texts.unpin : texts.pin}
    </Button>
  )
}
