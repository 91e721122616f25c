import {
  AppLink,
  useApi,
  useAppNavigate,
  useAppParams,
  useAppPath,
  useNotify,
  usePageTitle,
  useProject,
  useRole,
} from '@pult/sdk'
import { limits, type MediaItem, mediaEndpoints } from '@pult/sdk/api'
import { isGone, Waiting } from '@pult/sdk/resource'
import {
  Alert,
  Button,
  ButtonLink,
  Card,
  ConfirmedAction,
  EmptyState,
  formatInstant,
  MediaImage,
  PageHeader,
  TagInput,
  TextField,
} from '@pult/sdk/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Images from 'lucide-react/icons/images'
import { type SubmitEvent, useState } from 'react'
import { FormatsCard } from './FormatsCard.tsx'
import styles from './library.module.css'
import { MediaPreview } from './MediaPreview.tsx'
import { useChangeMedium, useMedium, useReadAgain, useTranscode } from './media.queries.ts'
import { texts } from './media.texts.ts'
import { ReplaceButton } from './ReplaceButton.tsx'

/** One medium: how it looks, what it is called, and the formats that there are of it. */
export function MediumPage() {
  const { mediumId = '' } = useAppParams()
  const { data, error, refetch } = useMedium(mediumId)
  const pathOf = useAppPath()
  if (isGone(error))
    return (
      <Card>
        <EmptyState
          icon={<Images aria-hidden="true" />}
          title={texts.gone}
          text={texts.goneText}
          action={<ButtonLink href={pathOf('')}>{texts.back}</ButtonLink>}
        />
      </Card>
    )
  if (data === undefined)
    return (
      <Card flush>
        <Waiting failed={texts.oneLoadingFailed} error={error} onRetry={() => void refetch()} />
      </Card>
    )
  return <Medium key={data._id} item={data} />
}

function Medium({ item }: { item: MediaItem }) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const mayEdit = useRole('media-library:edit')
  const navigate = useAppNavigate()
  const readAgain = useReadAgain()
  usePageTitle(item.label)
  const { updatedAt, updatedBy } = item
  const at = formatInstant(updatedAt)
  const remove = () =>
    call(mediaEndpoints.remove, { params: { projectId, itemId: item._id } }).then(() => navigate(''))
  return (
    <div className={styles.medium} data-record-page="">
      <AppLink to="" className={styles.back ?? ''}>
        <ArrowLeft aria-hidden="true" /> {texts.back}
      </AppLink>
      <PageHeader
        level={2}
        title={item.label}
        description={
          <time dateTime={updatedAt}>
            {updatedBy === null
              ? texts.changedAt(at)
              : texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at)}
          </time>
        }
        actions={
          mayEdit && (
            <>
              <ReplaceButton item={item} />
              <ConfirmedAction
                label={texts.delete}
                variant="danger"
                question={texts.deleteQuestion(1)}
                text={texts.deleteText([item.label])}
                done={texts.deleted(1)}
                run={remove}
                onSettled={readAgain}
              />
            </>
          )
        }
      />
      {item.state === 'failed' && <Failed item={item} mayEdit={mayEdit} />}
      <div className={styles.columns}>
        <Stage item={item} />
        <Card title={texts.details}>
          <div className={styles.fields}>
            <NameField item={item} readOnly={!mayEdit} />
            <TagField item={item} readOnly={!mayEdit} />
          </div>
        </Card>
      </div>
      <FormatsCard item={item} />
    </div>
  )
}

/** The medium itself. */
function Stage({ item }: { item: MediaItem }) {
  const { source, label, state } = item
  const [original] = source.formats
  if (source.type === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- What somebody uploads has none.
      <video className={styles.stage} src={original?.url} controls preload="metadata" aria-label={label} />
    )
  if (source.type === 'audio')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- What somebody uploads has none.
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

function NameField({ item, readOnly }: { item: MediaItem; readOnly: boolean }) {
  const notify = useNotify()
  const { mutate, isPending } = useChangeMedium(item._id)
  const [typed, setTyped] = useState<string | null>(null)
  const label = typed ?? item.label
  const hasChanged = label.trim() !== '' && label.trim() !== item.label
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!hasChanged || isPending) return
    mutate(
      { label: label.trim() },
      {
        onSuccess: () => {
          setTyped(null)
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
        readOnly={readOnly}
        value={label}
        onChange={({ target }) => setTyped(target.value)}
      />
      {!readOnly && (
        <Button type="submit" disabled={!hasChanged} pending={isPending}>
          {texts.rename}
        </Button>
      )}
    </form>
  )
}

/** A tag is there as soon as it is typed. */
function TagField({ item, readOnly }: { item: MediaItem; readOnly: boolean }) {
  const notify = useNotify()
  const { mutate, isPending, variables } = useChangeMedium(item._id)
  const tags = isPending ? (variables.tags ?? item.tags) : item.tags
  return (
    <TagInput
      label={texts.tags}
      placeholder={readOnly ? texts.noDimensions : texts.tagPlaceholder}
      maxLength={50}
      tags={tags}
      readOnly={readOnly}
      onChange={(next) =>
        mutate({ tags: next }, { onError: (error) => notify({ title: texts.tagsSaveFailed, error }) })
      }
      removeLabel={texts.removeTag}
    />
  )
}
