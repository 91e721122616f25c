import { Alert, Button, ButtonLink, Card, EmptyState, PageHead, TimeAgo } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import { type ReactNode, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { usePageTitle } from '../hooks.ts'
import { BackLink } from './BackLink.tsx'
import { withCopy } from './CreatePage.tsx'
import { DeleteItem } from './DeleteItem.tsx'
import { EditForm } from './EditForm.tsx'
import { isGone, whileOpen } from './open-record.ts'
import styles from './ResourcePage.module.css'
import { useResourceTexts } from './resource.texts.ts'
import { useResourceContext } from './resource-context.ts'
import type { RecordItem } from './resource-view.ts'
import type { Values } from './typed-fields.ts'
import { Waiting } from './Waiting.tsx'

/** Renders the page of one record. It follows the server, except for fields with unsaved input. */
export function EditPage() {
  const { itemId = '' } = useParams()
  const { view } = useResourceContext()
  const [deleted, setDeleted] = useState<{ itemId: string; next: string } | null>(null)
  if (deleted?.itemId === itemId) return <Navigate to={deleted.next} replace />
  return (
    <div className={styles.page}>
      <BackLink />
      <Opened
        key={itemId}
        itemId={itemId}
        onDeleted={(nextId) =>
          setDeleted({
            itemId,
            next: nextId === null ? view.path : `${view.path}/edit/${encodeURIComponent(nextId)}`,
          })
        }
      />
    </div>
  )
}

interface OpenedProps {
  itemId: string
  onDeleted: (nextId: string | null) => void
}

function Opened({ itemId, onDeleted }: OpenedProps) {
  const texts = useResourceTexts()
  const { calls } = useResourceContext()
  const [isDeleting, setDeleting] = useState(false)
  const { data, error, refetch } = useQuery({
    ...calls.item(itemId),
    refetchInterval: ({ state }) => whileOpen(state),
    placeholderData: () => calls.rowsInView().find(({ id }) => id === itemId)?.item,
    // Stops refetching, so that the user who deletes a record does not see its "not found" notice.
    enabled: !isDeleting,
  })

  if (data === undefined && isGone(error)) return <Gone />
  if (data === undefined) {
    return (
      <Card flush>
        <Waiting failed={texts.loadingFailed} error={error} onRetry={() => void refetch()} />
      </Card>
    )
  }
  return (
    <Found
      itemId={itemId}
      item={data}
      isGone={isGone(error)}
      onDeleting={setDeleting}
      onDeleted={onDeleted}
    />
  )
}

interface FoundProps extends OpenedProps {
  item: RecordItem
  isGone: boolean
  onDeleting: (isDeleting: boolean) => void
}

function Found({ itemId, item, isGone: isItGone, onDeleting, onDeleted }: FoundProps) {
  const texts = useResourceTexts()
  const { view, calls } = useResourceContext()
  const navigate = useNavigate()
  const label = view.labelOf(item)
  usePageTitle(label)

  const { copyOf } = view
  const duplicate: ((shown: Values) => ReactNode) | undefined =
    copyOf &&
    ((shown: Values) => (
      <Button
        icon={<Copy aria-hidden="true" />}
        onClick={() => void navigate(`${view.path}/create`, { state: withCopy(copyOf(shown)) })}
      >
        {texts.duplicate}
      </Button>
    ))
  return (
    <div className={styles.page}>
      <PageHead
        level={2}
        title={label}
        text={<ChangedLine item={item} />}
        actions={isItGone ? undefined : view.actions?.(item)}
      />
      {isItGone && (
        <Alert
          tone="warning"
          title={view.texts.gone}
          action={<ButtonLink href={view.path}>{view.texts.title}</ButtonLink>}
        >
          {view.texts.goneText} {texts.typedStays}
        </Alert>
      )}
      <EditForm
        name={`${view.path} ${itemId}`}
        item={item}
        valuesOf={(version) => view.valuesOf(version)}
        clean={view.clean}
        problemsOf={view.problemsOf}
        fieldLabels={view.fieldLabels}
        renderFields={(form) => view.renderFields(form)}
        update={view.endpoints.update}
        save={(changes, revision) => calls.update(itemId, changes, revision)}
        onNewer={calls.show}
        saved={view.texts.saved}
        readOnly={isItGone}
        renderActions={
          isItGone
            ? duplicate
            : (shown) => (
                <>
                  {duplicate?.(shown)}
                  <DeleteItem itemId={itemId} label={label} onDeleting={onDeleting} onDeleted={onDeleted} />
                </>
              )
        }
      />
    </div>
  )
}

function ChangedLine({ item: { updatedAt, updatedBy } }: { item: RecordItem }) {
  const texts = useResourceTexts()
  if (updatedAt === undefined) return null
  return (
    <TimeAgo
      at={updatedAt}
      sentence={(at) =>
        updatedBy ? texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at) : texts.changedAt(at)
      }
    />
  )
}

function Gone() {
  const { view } = useResourceContext()
  usePageTitle(view.texts.gone)
  return (
    <Card>
      <EmptyState
        level={2}
        icon={view.icon}
        title={view.texts.gone}
        text={view.texts.goneText}
        action={<ButtonLink href={view.path}>{view.texts.title}</ButtonLink>}
      />
    </Card>
  )
}
