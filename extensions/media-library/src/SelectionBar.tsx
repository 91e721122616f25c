import { useNotify } from '@pult/sdk'
import { Button, ConfirmDialog, Dialog, DialogActions, TagInput } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import styles from './library.module.css'
import { useAddTags, useDeleteMedia } from './media.queries.ts'
import { texts } from './media.texts.ts'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  isDeleting: boolean
  setDeleting: (isDeleting: boolean) => void
}

/** What can be done to all that is selected at once. */
export function SelectionBar({ selection, isDeleting, setDeleting }: SelectionBarProps) {
  const notify = useNotify()
  const [isTagging, setTagging] = useState(false)
  const { mutate, isPending } = useDeleteMedia()
  const { items } = selection

  const remove = () =>
    mutate(items, {
      onSuccess: () => notify({ title: texts.deleted(items.length), tone: 'success' }),
      onError: (error) => notify({ title: texts.deletingFailed, error }),
      onSettled: () => {
        setDeleting(false)
        selection.clear()
      },
    })
  return (
    <div className={styles.selection} role="toolbar" aria-label={texts.selected(items.length)}>
      <strong role="status">{texts.selected(items.length)}</strong>
      <Button onClick={() => setTagging(true)}>{texts.addTags}</Button>
      <Button variant="danger" onClick={() => setDeleting(true)}>
        {texts.delete}
      </Button>
      <Button variant="ghost" onClick={selection.clear}>
        {texts.clearSelection}
      </Button>
      <ConfirmDialog
        open={isDeleting}
        title={texts.deleteQuestion(items.length)}
        confirmLabel={texts.delete}
        cancelLabel={texts.cancel}
        destructive
        pending={isPending}
        onConfirm={remove}
        onCancel={() => setDeleting(false)}
      >
        {texts.deleteText(items.map(({ label }) => label))}
      </ConfirmDialog>
      <Dialog open={isTagging} title={texts.addTagsTitle(items.length)} onClose={() => setTagging(false)}>
        <TagForm selection={selection} onClose={() => setTagging(false)} />
      </Dialog>
    </div>
  )
}

function TagForm({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const notify = useNotify()
  const [tags, setTags] = useState<string[]>([])
  const { mutate, isPending } = useAddTags(tags)
  const { items } = selection

  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (tags.length === 0) return
    mutate(items, {
      onSuccess: () => {
        notify({ title: texts.tagged(items.length), tone: 'success' })
        selection.clear()
        onClose()
      },
      onError: (error) => notify({ title: texts.taggingFailed, error }),
    })
  }
  return (
    <form onSubmit={save}>
      <TagInput
        label={texts.tags}
        description={texts.addTagsText}
        placeholder={texts.tagPlaceholder}
        maxLength={50}
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
  )
}
