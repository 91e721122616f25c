import {
  isCancelled,
  messageOf,
  useAppNavigate,
  useAppParams,
  useChange,
  useNotify,
  usePageTitle,
  useProject,
  useReadAgain,
  useRole,
} from '@pult/sdk'
import { limits, type MediaItem, mediaEndpoints } from '@pult/sdk/api'
import { EditForm, RecordPage, useUnsavedInput } from '@pult/sdk/resource'
import {
  Alert,
  Button,
  DataCard,
  EmptyState,
  FactList,
  MediaImage,
  MediaPlayer,
  PageHead,
  TagInput,
  TextField,
  TimeAgo,
} from '@pult/sdk/ui'
import Images from 'lucide-react/icons/images'
import { useState } from 'react'
import { FormatsAgain } from './FormatsAgain.tsx'
import { FormatsCard } from './FormatsCard.tsx'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import { mediaReads, useChangeMedium, useMedium, useRestoreMedia, useSetTags } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { notesOf } from './NoteSigns.tsx'
import { ReplaceButton } from './ReplaceButton.tsx'

/** One medium: its preview, metadata and formats. */
export function MediumPage() {
  const { mediumId = '' } = useAppParams()
  return (
    <RecordPage
      back={texts.back}
      query={useMedium(mediumId)}
      failed={texts.oneLoadingFailed}
      gone={<EmptyState icon={<Images aria-hidden="true" />} title={texts.gone} text={texts.goneText} />}
    >
      {(item) => <Medium key={item._id} item={item} />}
    </RecordPage>
  )
}

function Medium({ item }: { item: MediaItem }) {
  const mayEdit = useRole('media-library:edit')
  const navigate = useAppNavigate()
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const { _id: itemId, label, updatedAt, updatedBy } = item
  const restore = useRestoreMedia()
  usePageTitle(label)
  const params = { projectId, itemId }
  const remove = useChange(mediaEndpoints.remove, () => ({ params }), {
    touches: mediaReads,
    leaves: `/projects/${projectId}/media/${itemId}`,
    onSuccess: () => {
      notify({ title: texts.deleted(1), text: label, tone: 'success', undo: () => restore([item]) })
      navigate('', { replace: true })
    },
    onError: (error) => notify({ title: texts.deletingFailed, error }),
  })
  return (
    <>
      <PageHead
        title={label}
        text={
          <TimeAgo
            at={updatedAt}
            sentence={(at) =>
              updatedBy === null
                ? texts.changedAt(at)
                : texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at)
            }
          />
        }
        actions={
          mayEdit && (
            <>
              <ReplaceButton item={item} />
              <Button variant="danger-quiet" pending={remove.isPending} onClick={() => remove.mutate()}>
                {texts.delete}
              </Button>
            </>
          )
        }
      />
      {item.state === 'failed' && <Failed item={item} mayEdit={mayEdit} />}
      {notesOf(item).map(({ sign, text }) => (
        <Alert key={sign} tone="info" title={sign}>
          {text}
        </Alert>
      ))}
      <div className={styles.columns}>
        <Stage item={item} />
        {mayEdit ? (
          <DetailsForm item={item} />
        ) : (
          <DataCard title={texts.details} flush state={{ kind: 'read-only', text: texts.changedByEditors }}>
            <FactList
              facts={[
                [texts.name, item.label],
                [texts.tags, item.tags.join(', ') || texts.noDimensions],
              ]}
            />
          </DataCard>
        )}
      </div>
      <FormatsCard item={item} mayEdit={mayEdit} />
    </>
  )
}

/** The medium itself. */
function Stage({ item }: { item: MediaItem }) {
  const { source, label, state, notes } = item
  const [isPlayed, setPlayed] = useState(false)
  if (source.type === 'video') return <MediaPlayer className={styles.stage} source={source} label={label} />
  if (source.type === 'audio') return <MediaPlayer className={styles.sound} source={source} label={label} />
  return (
    <div className={styles.player}>
      <div className={styles.stage}>
        {state === 'processing' && source.formats.length === 1 ? (
          <MediaPreview item={item} sizes="100vw" />
        ) : (
          <MediaImage
            source={source}
            alt={label}
            sizes="(max-width: 900px) 94vw, 640px"
            className={styles.whole}
            lazy={false}
            isPlayed={isPlayed}
          />
        )}
      </div>
      {source.formats.some(({ isAnimated }) => isAnimated) && (
        <Button
          className={notes.includes('still') ? undefined : styles.playStilled}
          onClick={() => setPlayed(!isPlayed)}
        >
          {isPlayed ? texts.stop : texts.play}
        </Button>
      )}
    </div>
  )
}

function Failed({ item, mayEdit }: { item: MediaItem; mayEdit: boolean }) {
  return (
    <Alert tone="warning" title={texts.failed} action={mayEdit && <FormatsAgain item={item} />}>
      {texts.failedText}
    </Alert>
  )
}

/** Edits name and tags. A button saves the name; tags are saved immediately. */
function DetailsForm({ item }: { item: MediaItem }) {
  const { mutateAsync } = useChangeMedium(item._id)
  const readAgain = useReadAgain(...mediaReads)
  return (
    <EditForm
      name={`media-library name ${item._id}`}
      title={texts.details}
      item={item}
      valuesOf={({ label }) => ({ label })}
      clean={({ label }) => ({ label: label.trim() })}
      problemsOf={({ label }) => (label === '' ? { label: texts.nameMissing } : {})}
      fieldLabels={{ label: texts.name }}
      renderFields={({ text }) => (
        <>
          <TextField label={texts.name} autoComplete="off" maxLength={limits.labelMax} {...text('label')} />
          <TagField item={item} />
        </>
      )}
      update={mediaEndpoints.update}
      save={(body, revision) => mutateAsync({ body, revision })}
      onNewer={() => void readAgain()}
      saved={texts.renamed}
      savingFailed={texts.renamingFailed}
    />
  )
}

function TagField({ item }: { item: MediaItem }) {
  const { mutate, isPending, variables = [], error, reset } = useSetTags(item)
  const hasFailed = error !== null && !isCancelled(error)
  // Rejected tags stay for correction.
  const rejected = hasFailed ? variables.filter((tag) => !item.tags.includes(tag)) : []
  useUnsavedInput(rejected.length > 0)
  return (
    <TagInput
      label={texts.tags}
      placeholder={texts.tagPlaceholder}
      maxLength={limits.mediaTagMax}
      tags={isPending ? variables : [...item.tags, ...rejected]}
      onChange={(tags) => (tags.join() === item.tags.join() ? reset() : mutate(tags))}
      removeLabel={texts.removeTag}
      error={hasFailed ? `${texts.tagsSaveFailed}: ${messageOf(error)}` : undefined}
    />
  )
}
