import { useApi, useNotify, useProject, useReadAgain } from '@pult/sdk'
import { type Edge, edgeTagEndpoints, limits } from '@pult/sdk/api'
import { FormDialog } from '@pult/sdk/resource'
import { TagInput } from '@pult/sdk/ui'
import { useId, useState } from 'react'
import styles from './edges.module.css'
import { fleetData } from './edges.queries.ts'
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
  const readAgain = useReadAgain(...fleetData)
  const { _id: projectId } = useProject()
  const removeId = useId()
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<readonly string[]>([])
  const present = new Map<string, number>()
  for (const tag of edges.flatMap(({ tags }) => tags)) present.set(tag, (present.get(tag) ?? 0) + 1)
  // Not `useChange`, because many edges need several calls.
  const save = async () => {
    let total = 0
    try {
      for (let first = 0; first < edges.length; first += limits.edgesAtOnceMax) {
        const part = edges.slice(first, first + limits.edgesAtOnceMax).map(({ _id }) => _id)
        const { changed } = await call(edgeTagEndpoints.change, {
          params: { projectId },
          body: { edges: part, add, remove: [...remove] },
        })
        total += changed
      }
      notify({ title: texts.tagged(total), tone: 'success' })
    } finally {
      await readAgain()
    }
  }
  const hasChange = add.length > 0 || remove.length > 0
  return (
    <FormDialog
      title={texts.tagsOf(edges.length)}
      submit={texts.save}
      failed={texts.taggingFailed}
      unsaved={hasChange}
      disabled={!hasChange}
      save={save}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
