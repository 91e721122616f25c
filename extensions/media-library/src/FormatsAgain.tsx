import { useNotify } from '@pult/sdk'
import type { MediaItem } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import { useTranscode } from './media.queries.ts'
import { texts } from './media.texts.ts'

/** Makes the formats of a picture again: after a failure, or those of an earlier release. */
export function FormatsAgain({ item }: { item: MediaItem }) {
  const notify = useNotify()
  const { mutate, isPending } = useTranscode(item._id)
  const again = () =>
    mutate(undefined, { onError: (error) => notify({ title: texts.tryAgainFailed, error }) })
  return (
    <Button pending={isPending} onClick={again}>
      {texts.tryAgain}
    </Button>
  )
}
