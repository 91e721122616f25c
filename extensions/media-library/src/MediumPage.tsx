import { useAppNavigate, useAppParams, useNotify, usePageTitle, useRole } from '@pult/sdk'
import { limits, type MediaItem } from '@pult/sdk/api'
import { isGone, useDraft, useUnsavedInput, Waiting } from '@pult/sdk/resource'
import {
  Alert,
  BackToList,
  Button,
  Card,
  DataCard,
  EmptyState,
  FactList,
  MediaImage,
  PageHead,
  TagInput,
  TextField,
  TimeAgo,
} from '@pult/sdk/ui'
import Images from 'lucide-react/icons/images'
import type { SubmitEvent } from 'react'
import { FormatsCard } from './FormatsCard.tsx'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import { useChangeMedium, useDeleteMedia, useMedium, useRestoreMedia, useTranscode } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { ReplaceButton } from './ReplaceButton.tsx'

/** One medium: its preview, metadata and formats. */
export function MediumPage() {
  const { mediumId = '' } = useAppParams()
  const { data, error, refetch } = useMedium(mediumId)
  return (
    <div className={styles.medium} data-record-page="">
      <BackToList>{texts.back}</BackToList>
      {isGone(error) ? (
        <EmptyState icon={<Images aria-hidden="true" />} title={texts.gone} text={texts.goneText} />
      ) : data === undefined ? (
        <Waiting failed={texts.oneLoadingFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <Medium key={data._id} item={data} />
      )}
    </div>
  )
}

function Medium({ item }: { item: MediaItem }) {
  const mayEdit = useRole('media-library:edit')
  const navigate = useAppNavigate()
  const notify = useNotify()
  const { mutate, isPending } = useDeleteMedia()
  const restore = useRestoreMedia()
  usePageTitle(item.label)
  const { updatedAt, updatedBy } = item
  const remove = () =>
    mutate([item], {
      onSuccess: () => {
        notify({
          title: texts.deleted(1),
          text: item.label,
          tone: 'success',
          undo: () => restore([item]),
        })
        navigate('')
      },
      onError: (error) => notify({ title: texts.deletingFailed, error }),
    })
  return (
    <>
      <PageHead
        title={item.label}
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
              <Button variant="danger-quiet" pending={isPending} onClick={remove}>
                {texts.delete}
              </Button>
            </>
          )
        }
      />
      {item.state === 'failed' && <Failed item={item} mayEdit={mayEdit} />}
      <div className={styles.columns}>
        <Stage item={item} />
        {mayEdit ? (
          <Card title={texts.details}>
            <div className={styles.fields}>
              <NameField item={item} />
              <TagField item={item} />
            </div>
          </Card>
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
      <FormatsCard item={item} />
    </>
  )
}

/** The medium itself. */
function Stage({ item }: { item: MediaItem }) {
  const { source, label, state } = item
  const [original] = source.formats
  if (source.type === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- Uploaded media have no captions.
      <video className={styles.stage} src={original?.url} controls preload="metadata" aria-label={label} />
    )
  if (source.type === 'audio')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- Uploaded media have no captions.
      <audio className={styles.sound} src={original?.url} controls preload="metadata" aria-label={label} />
    )
  return (
    <div className={styles.stage}>
      {state === 'processing' ? (
        <MediaPreview item={item} sizes="100vw" />
      ) : (
        <MediaImage
          source={source}
          alt={label}
          sizes="(max-width: 900px) 94vw, 640px"
          className={styles.whole}
          lazy={false}
        />
      )}
    </div>
  )
}

function Failed({ item, mayEdit }: { item: MediaItem; mayEdit: boolean }) {
  const notify = useNotify()
  const { mutate, isPending } = useTranscode(item._id)
  const again = () =>
    mutate(undefined, { onError: (error) => notify({ title: texts.tryAgainFailed, error }) })
  return (
    <Alert
      tone="warning"
      title={texts.failed}
      action={
        mayEdit && (
          <Button pending={isPending} onClick={again}>
            {texts.tryAgain}
          </Button>
        )
      }
    >
      {texts.failedText}
    </Alert>
  )
}

function NameField({ item }: { item: MediaItem }) {
  const notify = useNotify()
  const { mutate, isPending } = useChangeMedium(item._id)
  const [typed, setTyped] = useDraft<string | null>(`media-library name ${item._id}`, null)
  const label = typed ?? item.label
  const hasChanged = label.trim() !== '' && label.trim() !== item.label
  useUnsavedInput(hasChanged)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!hasChanged || isPending) return
    mutate(
      { label: label.trim() },
      {
        onSuccess: () => {
          setTyped((now) => (now === typed ? null : now))
          notify({ title: texts.renamed, tone: 'success' })
        },
        onError: (error) => notify({ title: texts.renamingFailed, error }),
      },
    )
  }
  return (
    <form className={styles.nameForm} onSubmit={save}>
      <TextField
        label={texts.name}
        autoComplete="off"
        maxLength={limits.labelMax}
        value={label}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" disabled={!hasChanged} pending={isPending}>
        {texts.rename}
      </Button>
    </form>
  )
}

/** A tag is saved as soon as it is typed. */
function TagField({ item }: { item: MediaItem }) {
  const notify = useNotify()
  const { mutate, isPending, variables } = useChangeMedium(item._id)
  const tags = isPending ? (variables.tags ?? item.tags) : item.tags
  return (
    <TagInput
      label={texts.tags}
      placeholder={texts.tagPlaceholder}
      maxLength={50}
      tags={tags}
      onChange={(next) =>
        mutate({ tags: next }, { onError: (error) => notify({ title: texts.tagsSaveFailed, error }) })
      }
      removeLabel={texts.removeTag}
    />
  )
}
