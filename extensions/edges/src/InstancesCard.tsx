import { isCancelled, useApi, useNotify, useProject, useRole } from '@pult/sdk'
import { type Edge, type EdgeInstance, edgeEndpoints } from '@pult/sdk/api'
import {
  Button,
  Card,
  ConfirmedAction,
  keepFocus,
  SelectField,
  type Status,
  StatusDot,
  Table,
  type TableColumn,
} from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import styles from './edges.module.css'
import { useEditableProjects, useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { LabelDialog } from './LabelDialog.tsx'

interface InstancesCardProps {
  edge: Edge
  onBegun: (taskId: string) => void
}

/** What the edge runs or offers, and which project uses each. */
export function InstancesCard({ edge, onBegun }: InstancesCardProps) {
  const mayManage = useRole('edges:manage')
  const [isAdding, setAdding] = useState(false)
  const call = useApi()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      className={styles.card}
      title={texts.instances}
      flush
      actions={mayManage && <Button onClick={() => setAdding(true)}>{texts.addInstance}</Button>}
    >
      {edge.instances.length === 0 ? (
        <p className={styles.none}>{texts.noInstances}</p>
      ) : (
        <Table
          label={texts.instances}
          columns={columnsOf(edge, mayManage ? onBegun : null)}
          rows={edge.instances}
          rowKey={({ _id }) => _id}
        />
      )}
      {isAdding && (
        <LabelDialog
          title={texts.addInstance}
          label=""
          action={texts.addInstance}
          failed={texts.addInstanceFailed}
          save={(label) => call(edgeEndpoints.addInstance, { params, body: { label } })}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

/** @param onBegun null for those who only look. */
const columnsOf = (
  edge: Edge,
  onBegun: InstancesCardProps['onBegun'] | null,
): TableColumn<EdgeInstance>[] => [
  {
    header: texts.instance,
    kind: 'title',
    cell: ({ label, key }) => (
      <span className={styles.instance}>
        {label}
        {key !== null && <code className={styles.quiet}>{key}</code>}
      </span>
    ),
  },
  { header: texts.state, cell: (instance) => <InstanceState instance={instance} /> },
  {
    header: texts.usedBy,
    cell: (instance) =>
      onBegun === null ? placeOf(instance) : <Assignment edge={edge} instance={instance} />,
  },
  ...(onBegun === null ? [] : [actionsColumn(edge, onBegun)]),
]

const actionsColumn = (edge: Edge, onBegun: InstancesCardProps['onBegun']): TableColumn<EdgeInstance> => ({
  header: texts.actions,
  kind: 'actions',
  cell: (instance) => <InstanceActions edge={edge} instance={instance} onBegun={onBegun} />,
})

const placeOf = ({ project }: EdgeInstance) => project.label ?? texts.otherProject

const statuses: Record<EdgeInstance['state'], Status> = {
  running: 'success',
  stopped: 'danger',
  unknown: 'neutral',
}

function InstanceState({ instance: { state, isReported, key } }: { instance: EdgeInstance }) {
  if (!isReported && key !== null) return <StatusDot status="warning">{texts.notReported}</StatusDot>
  return <StatusDot status={statuses[state]}>{texts.instanceStates[state]}</StatusDot>
}

/** Which project uses the instance: one that the person may edit, or the one it is with already. */
function Assignment({ edge, instance }: { edge: Edge; instance: EdgeInstance }) {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadAgain()
  const project = useProject()
  const { data: editable = [] } = useEditableProjects()
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: (chosen: string) =>
      call(edgeEndpoints.updateInstance, {
        params: { projectId: project._id, edgeId: edge._id, instanceId: instance._id },
        body: { project: chosen === project._id ? null : chosen },
      }),
  })
  const places = [
    { _id: project._id, label: project.label },
    ...editable.filter(({ _id }) => _id !== project._id),
  ]
  if (!places.some(({ _id }) => _id === instance.project._id))
    places.push({ _id: instance.project._id, label: placeOf(instance) })

  const assign = async (chosen: string) => {
    try {
      await mutateAsync(chosen)
      const label = places.find(({ _id }) => _id === chosen)?.label ?? ''
      notify({ title: texts.assigned(instance.label, label), tone: 'success' })
    } catch (error) {
      if (!isCancelled(error)) notify({ title: texts.assignFailed, error })
    }
    await readAgain()
  }
  return (
    <SelectField
      label={texts.usedByOf(instance.label)}
      hideLabel
      className={styles.assignment}
      value={isPending ? variables : instance.project._id}
      onChange={({ target }) => void assign(target.value)}
    >
      {places.map(({ _id, label }) => (
        <option key={_id} value={_id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

interface InstanceActionsProps extends InstancesCardProps {
  instance: EdgeInstance
}

function InstanceActions({ edge, instance, onBegun }: InstanceActionsProps) {
  const call = useApi()
  const { _id: projectId } = useProject()
  const readAgain = useReadAgain()
  const [isRenaming, setRenaming] = useState(false)
  const params = { projectId, edgeId: edge._id }
  const one = { ...params, instanceId: instance._id }
  return (
    <span className={styles.rowActions}>
      {instance.canRestart && edge.state === 'online' && (
        <ConfirmedAction
          label={texts.restartInstance}
          accessibleLabel={texts.restartInstanceOf(instance.label)}
          variant="ghost"
          question={texts.restartInstanceQuestion(instance.label)}
          text={texts.restartInstanceText}
          destructive={false}
          done={texts.restarting}
          run={async () => {
            const { _id } = await call(edgeEndpoints.restart, { params, body: { instance: instance._id } })
            onBegun(_id)
          }}
        />
      )}
      <Button variant="ghost" aria-label={texts.renameOf(instance.label)} onClick={() => setRenaming(true)}>
        {texts.rename}
      </Button>
      {!instance.isReported && (
        <ConfirmedAction
          label={texts.remove}
          accessibleLabel={texts.removeInstanceOf(instance.label)}
          variant="ghost"
          question={texts.removeInstanceQuestion(instance.label)}
          text={texts.removeInstanceText}
          done={texts.instanceRemoved}
          run={() => call(edgeEndpoints.removeInstance, { params: one })}
          onSettled={readAgain}
        />
      )}
      {isRenaming && (
        <LabelDialog
          title={texts.renameTitle}
          label={instance.label}
          action={texts.save}
          failed={texts.saveFailed}
          save={(label) => call(edgeEndpoints.updateInstance, { params: one, body: { label } })}
          onClose={() => setRenaming(false)}
        />
      )}
    </span>
  )
}
