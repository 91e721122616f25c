import { useChange, useNotify, useProject } from '@pult/sdk'
import { type MediaItem, mediaEndpoints } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import { mediaReads } from './media.queries.ts'
import { texts } from './media.texts.ts'

/** Makes the formats of a picture again: after a failure, or those of an earlier release. */
export function FormatsAgain({ item }: { item: MediaItem }) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const { mutate, isPending } = useChange(
    mediaEndpoints.exec,
    () => ({ params: { projectId, itemId: item._id, command: 'transcode' }, body: {} }),
    { touches: mediaReads, onError: (error) => notify({ title: texts.tryAgainFailed, error }) },
  )
  return (
    <Button pending={isPending} onClick={() => mutate()}>
      {texts.tryAgain}
    </Button>
  )
}
