import { useChange, useNotify } from '@pult/sdk'
import { type Note, noteEndpoints } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import { texts } from './notes.texts.ts'

/** Pins or unpins a note. Pinned notes come first in the list. */
export function PinNote({ projectId, note: { _id, isPinned } }: { projectId: string; note: Note }) {
  const notify = useNotify()
  const params = { projectId, itemId: _id }
  const { mutate, isPending } = useChange(
    noteEndpoints.exec,
    () => ({ params: { ...params, command: isPinned ? 'unpin' : 'pin' }, body: {} }),
    {
      touches: [noteEndpoints.list, noteEndpoints.read],
      shows: () => [noteEndpoints.read, { params }],
      onError: (error) => notify({ title: texts.pinningFailed, error }),
    },
  )
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
