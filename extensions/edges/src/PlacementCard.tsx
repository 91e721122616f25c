import { isCancelled, useApi, useNotify, useProject, useRole } from '@pult/sdk'
import { type BodyOf, type Edge, edgeEndpoints, limits } from '@pult/sdk/api'
import { useDraft, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, TagInput, TextField } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import styles from './edges.module.css'
import { useReadTagsAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { Fact } from './Fact.tsx'
import { TagList } from './TagList.tsx'
import { splitTags } from './tags.ts'

/** The tags of the edge and where it stands. */
export function PlacementCard({ edge }: { edge: Edge }) {
  const mayManage = useRole('edges:manage')
  const { tags, place } = edge
  if (mayManage)
    return (
      <Card title={texts.tagsAndPlace} flush>
        <div className={styles.placement}>
          <TagField edge={edge} />
          <PlaceField edge={edge} />
        </div>
      </Card>
    )
  if (tags.length === 0 && place === null) return null
  return (
    <Card title={texts.tagsAndPlace} flush>
      <dl className={styles.facts}>
        <Fact name={texts.tags}>{tags.length === 0 ? texts.noValue : <TagList tags={tags} />}</Fact>
        <Fact name={texts.place}>{place ?? texts.noValue}</Fact>
      </dl>
    </Card>
  )
}

type Changes = Pick<BodyOf<typeof edgeEndpoints.update>, 'tags' | 'place'>

/** Saves tags or the place, and shows the edge as it is then. */
function useSave({ _id: edgeId }: Edge) {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadTagsAgain()
  const { _id: projectId } = useProject()
  return useMutation({
    mutationFn: (body: Changes) => call(edgeEndpoints.update, { params: { projectId, edgeId }, body }),
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.saveFailed, error })
    },
    onSettled: readAgain,
  })
}

/** A tag is saved as soon as it is typed. */
function TagField({ edge }: { edge: Edge }) {
  const { mutate, isPending, variables } = useSave(edge)
  return (
    <TagInput
      label={texts.tags}
      placeholder={texts.tagPlaceholder}
      maxLength={limits.edgeTagMax}
      tags={isPending ? (variables.tags ?? edge.tags) : edge.tags}
      onChange={(tags) => mutate({ tags: splitTags(tags) })}
      removeLabel={texts.removeTag}
    />
  )
}

function PlaceField({ edge }: { edge: Edge }) {
  const { mutate, isPending } = useSave(edge)
  const [typed, setTyped] = useDraft<string | null>(`edges place ${edge._id}`, null)
  const shown = typed ?? edge.place ?? ''
  const place = shown.trim() === '' ? null : shown.trim()
  useUnsavedInput(place !== edge.place)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (place === edge.place || isPending) return
    mutate({ place }, { onSuccess: () => setTyped((now) => (now === typed ? null : now)) })
  }
  return (
    <form className={styles.place} onSubmit={save}>
      <TextField
        label={texts.place}
        description={texts.placeHint}
        maxLength={limits.labelMax}
        value={shown}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" disabled={place === edge.place} pending={isPending}>
        {texts.savePlace}
      </Button>
    </form>
  )
}
