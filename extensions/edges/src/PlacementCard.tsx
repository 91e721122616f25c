import { isCancelled, messageOf, useChange, useProject, useRole } from '@pult/sdk'
import { type Edge, edgeEndpoints, edgeTagEndpoints, limits } from '@pult/sdk/api'
import { EditForm, useUnsavedInput } from '@pult/sdk/resource'
import { Card, TagInput, TextField } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { fleetData, useUpdateEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { Fact } from './Fact.tsx'
import { TagList } from './TagList.tsx'
import { splitTags } from './tags.ts'

/** The tags and the place of the edge. */
export function PlacementCard({ edge }: { edge: Edge }) {
  const mayManage = useRole('edges:manage')
  const { tags, place } = edge
  if (mayManage) return <PlacementForm edge={edge} />
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

function PlacementForm({ edge }: { edge: Edge }) {
  const { mutateAsync } = useUpdateEdge(edge._id)
  return (
    <EditForm
      name={`edges place ${edge._id}`}
      title={texts.tagsAndPlace}
      item={edge}
      valuesOf={({ place }) => ({ place: place ?? '' })}
      clean={({ place }) => ({ place: place.trim() })}
      fieldLabels={{ place: texts.place }}
      renderFields={({ text }) => {
        const { description, ...field } = text('place')
        return (
          <>
            <TagField key={edge._id} edge={edge} />
            <TextField
              label={texts.place}
              maxLength={limits.labelMax}
              {...field}
              description={description || texts.placeHint}
            />
          </>
        )
      }}
      update={edgeEndpoints.update}
      save={({ place = '' }, revision) => mutateAsync({ place: place === '' ? null : place, revision })}
      // A failed change reads the edge again.
      onNewer={() => {}}
      saved={texts.saved}
      savingFailed={texts.saveFailed}
    />
  )
}

interface TagChange {
  add: string[]
  remove: string[]
}

/** Saves tags immediately. It sends only the difference, so that tags of other users stay. */
function TagField({ edge: { _id: edgeId, tags: saved } }: { edge: Edge }) {
  const { _id: projectId } = useProject()
  const { mutate, isPending, variables, error, reset } = useChange(
    edgeTagEndpoints.change,
    (change: TagChange) => ({ params: { projectId }, body: { edges: [edgeId], ...change } }),
    { touches: fleetData },
  )
  const hasFailed = error !== null && !isCancelled(error)
  // Rejected tags stay for correction.
  const added = isPending || hasFailed ? (variables?.add ?? []) : []
  const removed = isPending ? variables.remove : []
  const shown = [...new Set([...saved.filter((tag) => !removed.includes(tag)), ...added])]
  useUnsavedInput(hasFailed && added.length > 0)
  const change = (tags: string[]) => {
    const add = tags.filter((tag) => !saved.includes(tag))
    const remove = saved.filter((tag) => !tags.includes(tag))
    if (add.length > 0 || remove.length > 0) mutate({ add, remove })
    else reset()
  }
  return (
    <TagInput
      label={texts.tags}
      placeholder={texts.tagPlaceholder}
      maxLength={limits.edgeTagMax}
      tags={shown}
      onChange={(tags) => change(splitTags(tags))}
      removeLabel={texts.removeTag}
      error={hasFailed ? `${texts.saveFailed}: ${messageOf(error)}` : undefined}
    />
  )
}
