import { useChange, useNotify, useProject, useRole } from '@pult/sdk'
import { type Edge, type EdgeInstance, edgeEndpoints, edgeProgramEndpoints } from '@pult/sdk/api'
import {
  Button,
  Card,
  ConfirmedAction,
  Dialog,
  DialogActions,
  Duration,
  keepFocus,
  SelectField,
  StateChip,
  type Status,
  Table,
  type TableColumn,
} from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import styles from './edges.module.css'
import { begins, edgeData, useEditableProjects } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { LabelDialog } from './LabelDialog.tsx'
import { LogCard } from './LogCard.tsx'
import { type ChosenProject, ProjectSelect } from './ProjectSelect.tsx'

interface InstancesCardProps {
  edge: Edge
  onBegun: (taskId: string) => void
}

/** The edge's programs and the project that uses each. */
export function InstancesCard({ edge, onBegun }: InstancesCardProps) {
  const mayManage = useRole('edges:manage')
  const [isAdding, setAdding] = useState(false)
  /** The program whose log is shown. */
  const [logId, setLogId] = useState<string | null>(null)
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  const logged = mayManage ? edge.instances.find(({ _id }) => _id === logId) : undefined
  const list = (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      title={texts.instances}
      flush
      actions={mayManage && <Button onClick={() => setAdding(true)}>{texts.addInstance}</Button>}
    >
      {edge.instances.length === 0 ? (
        <p className={styles.none}>{texts.noInstances}</p>
      ) : (
        <Table
          label={texts.instances}
          columns={columnsOf(edge, mayManage ? { onBegun, onLog: setLogId } : null)}
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
          endpoint={edgeEndpoints.addInstance}
          inputOf={(label) => ({ params, body: { label } })}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
  return (
    <>
      {list}
      {logged !== undefined && (
        <LogCard key={logged._id} edgeId={edge._id} instance={logged} onClose={() => setLogId(null)} />
      )}
    </>
  )
}

interface Handlers {
  onBegun: InstancesCardProps['onBegun']
  onLog: (instanceId: string) => void
}

/** @param handlers null for users who may only read. */
const columnsOf = (edge: Edge, handlers: Handlers | null): TableColumn<EdgeInstance>[] => [
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
      handlers === null ? placeOf(instance) : <Assignment edge={edge} instance={instance} />,
  },
  ...(handlers === null ? [] : [actionsColumn(edge, handlers)]),
]

const actionsColumn = (edge: Edge, handlers: Handlers): TableColumn<EdgeInstance> => ({
  header: texts.actions,
  kind: 'actions',
  cell: (instance) => <InstanceActions edge={edge} instance={instance} {...handlers} />,
})

const placeOf = ({ project }: EdgeInstance) => project.label ?? texts.otherProject

const statuses: Record<EdgeInstance['state'], Status> = {
  running: 'ok',
  stopped: 'failed',
  unknown: 'stopped',
}

function InstanceState({ instance: { state, isReported, key, program } }: { instance: EdgeInstance }) {
  if (!isReported && key !== null)
    return (
      <StateChip plain status="warning">
        {texts.notReported}
      </StateChip>
    )
  return (
    <span className={styles.instance}>
      <StateChip plain status={statuses[state]}>
        {texts.instanceStates[state]}
        {program !== null && program.since !== null && (
          <>
            {' '}
            {texts.since} <Duration from={program.since} to={null} />
          </>
        )}
      </StateChip>
      {program !== null && program.restarts > 0 && (
        <span className={styles.quiet}>{texts.restarts(program.restarts)}</span>
      )}
      {program !== null && program.lastExit !== null && (
        <span className={styles.quiet}>{texts.lastExit(program.lastExit)}</span>
      )}
    </span>
  )
}

/** The option that opens the search for a project. */
const more = 'more'

/** Chooses the project that uses the instance: one that the user may edit, or the current project. */
function Assignment({ edge, instance }: { edge: Edge; instance: EdgeInstance }) {
  const notify = useNotify()
  const project = useProject()
  const { data } = useEditableProjects('')
  const [isSearching, setSearching] = useState(false)
  const params = { projectId: project._id, edgeId: edge._id, instanceId: instance._id }
  const assignment = useChange(
    edgeEndpoints.updateInstance,
    ({ _id }: ChosenProject) => ({ params, body: { project: _id === project._id ? null : _id } }),
    {
      touches: edgeData,
      onSuccess: (_edge, { label }) =>
        notify({ title: texts.assigned(instance.label, label), tone: 'success' }),
      onError: (error) => notify({ title: texts.assignFailed, error }),
    },
  )
  const used = { _id: instance.project._id, label: placeOf(instance) }
  const shown = assignment.isPending ? assignment.variables : used
  const offered: ChosenProject[] = [project, ...(data?.items ?? []), used, shown]
  const places = new Map(offered.map(({ _id, label }) => [_id, label]))
  const choose = (_id: string) =>
    _id === more ? setSearching(true) : assignment.mutate({ _id, label: places.get(_id) ?? '' })
  return (
    <>
      <SelectField
        label={texts.usedByOf(instance.label)}
        hideLabel
        className={styles.assignment}
        value={shown._id}
        onChange={({ target }) => choose(target.value)}
      >
        {[...places].map(([_id, label]) => (
          <option key={_id} value={_id}>
            {label}
          </option>
        ))}
        {data?.hasMore === true && <option value={more}>{texts.moreProjects}</option>}
      </SelectField>
      {isSearching && (
        <AssignDialog
          title={texts.usedByOf(instance.label)}
          except={used._id}
          onChosen={assignment.mutate}
          onClose={() => setSearching(false)}
        />
      )}
    </>
  )
}

interface AssignDialogProps {
  title: string
  except: string
  onChosen: (project: ChosenProject) => void
  onClose: () => void
}

/** Finds the project that uses an instance among more projects than a choice has. */
function AssignDialog({ title, except, onChosen, onClose }: AssignDialogProps) {
  const [project, setProject] = useState<ChosenProject | null>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (project === null) return
    onClose()
    onChosen(project)
  }
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <ProjectSelect label={texts.moveTo} except={except} value={project} onChange={setProject} />
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={project === null}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface InstanceActionsProps extends Handlers {
  edge: Edge
  instance: EdgeInstance
}

function InstanceActions({ edge, instance, onBegun, onLog }: InstanceActionsProps) {
  const { _id: projectId } = useProject()
  const [isRenaming, setRenaming] = useState(false)
  const params = { projectId, edgeId: edge._id, instanceId: instance._id }
  const restart = useChange(
    edgeEndpoints.restart,
    () => ({ params, body: { instance: instance._id } }),
    begins(onBegun),
  )
  const remove = useChange(edgeEndpoints.removeInstance, () => ({ params }), { touches: edgeData })
  return (
    <span className={styles.rowActions} data-many={instance.program === null ? undefined : ''}>
      {instance.program !== null && (
        <ProgramActions edge={edge} instance={instance} onBegun={onBegun} onLog={onLog} />
      )}
      {instance.canRestart && edge.state === 'online' && (
        <ConfirmedAction
          label={texts.restartInstance}
          accessibleLabel={texts.restartInstanceOf(instance.label)}
          variant="ghost"
          question={texts.restartInstanceQuestion(instance.label)}
          text={instance.program === null ? texts.restartInstanceText : texts.restartProgramText}
          destructive={false}
          done={texts.restarting}
          run={() => restart.mutateAsync()}
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
          run={() => remove.mutateAsync()}
        />
      )}
      {isRenaming && (
        <LabelDialog
          title={texts.renameTitle}
          label={instance.label}
          action={texts.save}
          failed={texts.saveFailed}
          endpoint={edgeEndpoints.updateInstance}
          inputOf={(label) => ({ params, body: { label } })}
          onClose={() => setRenaming(false)}
        />
      )}
    </span>
  )
}

/** Buttons for the log and for the start or stop of a program that the agent can control. */
function ProgramActions({ edge, instance, onBegun, onLog }: InstanceActionsProps) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id, instanceId: instance._id }
  const start = useChange(edgeProgramEndpoints.start, () => ({ params }), {
    ...begins(onBegun),
    onError: (error) => notify({ title: texts.startFailed, error }),
  })
  const stop = useChange(edgeProgramEndpoints.stop, () => ({ params }), begins(onBegun))
  return (
    <>
      <Button variant="ghost" aria-label={texts.logOf(instance.label)} onClick={() => onLog(instance._id)}>
        {texts.log}
      </Button>
      {instance.state === 'running' ? (
        <ConfirmedAction
          label={texts.stopInstance}
          accessibleLabel={texts.stopInstanceOf(instance.label)}
          variant="ghost"
          question={texts.stopInstanceQuestion(instance.label)}
          text={texts.stopInstanceText}
          done={texts.stopping}
          run={() => stop.mutateAsync()}
        />
      ) : (
        <Button
          variant="ghost"
          aria-label={texts.startInstanceOf(instance.label)}
          pending={start.isPending}
          onClick={() => start.mutate()}
        >
          {texts.startInstance}
        </Button>
      )}
    </>
  )
}
