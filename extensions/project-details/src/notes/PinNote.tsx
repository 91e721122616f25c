import { useNotify } from '@pult/sdk'
import { type Note, noteEndpoints } from '@pult/sdk/api'
import { useResource } from '@pult/sdk/resource'
import { Button } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import { texts } from './notes.texts.ts'

/** Pins or unpins a note. Pinned notes come first in the list. */
export function PinNote({ projectId, note: { _id, isPinned } }: { projectId: string; note: Note }) {
  const notify = useNotify()
  const { exec } = useResource<Note>(noteEndpoints, { params: { projectId } })
  const { mutate, isPending } = useMutation({
    mutationFn: () => exec(_id, isPinned ? 'unpin' : 'pin'),
    onError: (error) => notify({ title: texts.pinningFailed, error }),
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
