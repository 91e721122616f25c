import { isCancelled, useApi, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeTagEndpoints, limits } from '@pult/sdk/api'
import { Alert, Button, Dialog, DialogActions, TagInput } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import styles from './edges.module.css'
import { useReadTagsAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { splitTags } from './tags.ts'

interface TagDialogProps {
  edges: readonly Edge[]
  onClose: () => void
}

/** Adds tags to several edges and removes others. */
export function TagDialog({ edges, onClose }: TagDialogProps) {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadTagsAgain()
  const { _id: projectId } = useProject()
  const removeId = useId()
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<readonly string[]>([])
  const present = new Map<string, number>()
  for (const tag of edges.flatMap(({ tags }) => tags)) present.set(tag, (present.get(tag) ?? 0) + 1)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      let total = 0
      for (let first = 0; first < edges.length; first += limits.edgesAtOnceMax) {
        const part = edges.slice(first, first + limits.edgesAtOnceMax).map(({ _id }) => _id)
        const { changed } = await call(edgeTagEndpoints.change, {
          params: { projectId },
          body: { edges: part, add, remove: [...remove] },
        })
        total += changed
      }
      return total
    },
    onSuccess: (changed) => {
      notify({ title: texts.tagged(changed), tone: 'success' })
      onClose()
    },
    onSettled: readAgain,
  })
  const hasChange = add.length > 0 || remove.length > 0
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (hasChange && !isPending) mutate()
  }
  return (
    <Dialog open title={texts.tagsOf(edges.length)} unsaved={hasChange} onClose={onClose}>
      <form onSubmit={save}>
        <TagInput
          label={texts.addTags}
          description={texts.addTagsHint}
          placeholder={texts.tagPlaceholder}
          maxLength={limits.edgeTagMax}
          tags={add}
          onChange={(next) => {
            const added = splitTags(next)
            setAdd(added)
            setRemove(remove.filter((tag) => !added.includes(tag)))
          }}
          removeLabel={texts.removeTag}
        />
        {present.size > 0 && (
          <div className={styles.filterTags} role="group" aria-labelledby={removeId}>
            <b id={removeId}>{texts.removeTags}</b>
            <div className={styles.filterList}>
              {[...present].map(([tag, count]) => {
                const isGoing = remove.includes(tag)
                return (
                  <button
                    key={tag}
                    type="button"
                    className={styles.filterTag}
                    data-going=""
                    aria-pressed={isGoing}
                    onClick={() => {
                      setRemove(isGoing ? remove.filter((one) => one !== tag) : [...remove, tag])
                      setAdd(add.filter((one) => one !== tag))
                    }}
                  >
                    {tag} <span className={styles.filterCount}>{count}</span>
                  </button>
                )
              })}
            </div>
          </div>
        )}
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.taggingFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={!hasChange} pending={isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
