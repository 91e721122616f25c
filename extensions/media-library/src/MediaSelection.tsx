import { useNotify } from '@pult/sdk'
import { limits, type MediaItem } from '@pult/sdk/api'
import type { useSelection } from '@pult/sdk/resource'
import { Button, Dialog, DialogActions, SelectionBar, TagInput } from '@pult/sdk/ui'
import Tag from 'lucide-react/icons/tag'
import Trash from 'lucide-react/icons/trash-2'
import { type SubmitEvent, useState } from 'react'
import { useAddTags } from './media.queries.ts'
import { texts } from './media.texts.ts'

export type Selection = ReturnType<typeof useSelection<MediaItem>>

interface MediaSelectionProps {
  selection: Selection
  isDeleting: boolean
  onDelete: () => void
}

/** The actions for all selected media. */
export function MediaSelection({ selection, isDeleting, onDelete }: MediaSelectionProps) {
  const [isTagging, setTagging] = useState(false)
  const { items, elsewhere } = selection

  return (
    <>
      <SelectionBar
        label={texts.selected(items.length, elsewhere)}
        clearLabel={texts.clearSelection}
        onClear={selection.clear}
      >
        <Button variant="ghost" icon={<Tag />} onClick={() => setTagging(true)}>
          {texts.addTags}
        </Button>
        <Button variant="danger-quiet" icon={<Trash />} pending={isDeleting} onClick={onDelete}>
          {texts.delete}
        </Button>
      </SelectionBar>
      {isTagging && <TagDialog selection={selection} onClose={() => setTagging(false)} />}
    </>
  )
}

function TagDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const notify = useNotify()
  const [tags, setTags] = useState<string[]>([])
  const { mutate, isPending } = useAddTags(tags)
  const { items } = selection

  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (tags.length === 0) return
    mutate(items, {
      onSuccess: ({ done, error }) => {
        if (error !== undefined) return notify({ title: texts.taggingFailed, error })
        notify({ title: texts.tagged(done.length), tone: 'success' })
        selection.clear()
        onClose()
      },
    })
  }
  return (
    <Dialog open title={texts.addTagsTitle(items.length)} unsaved={tags.length > 0} onClose={onClose}>
      <form onSubmit={save}>
        <TagInput
          label={texts.tags}
          description={texts.addTagsText}
          placeholder={texts.tagPlaceholder}
          maxLength={limits.mediaTagMax}
          tags={tags}
          onChange={setTags}
          removeLabel={texts.removeTag}
        />
        <DialogActions>
          <Button onClick={onClose} disabled={isPending}>
            {texts.cancel}
          </Button>
          <Button type="submit" variant="primary" disabled={tags.length === 0} pending={isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
