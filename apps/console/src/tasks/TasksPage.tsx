import type { Task, TaskOfPerson, TaskSort } from '@pult/contract'
import { usePageQuery } from '@pult/sdk'
import { ListFrame, notUnderstoodIn, useTypedValue } from '@pult/sdk/resource'
import { isOpen } from '@pult/sdk/task-list'
import { useTaskTitle } from '@pult/sdk/tasks'
import { ListSearch } from '@pult/sdk/ui'
import {
  Card,
  Duration,
  EmptyState,
  FilterChips,
  Page,
  PageHead,
  ProjectChip,
  SelectField,
  Table,
  type TableColumn,
  TimeAgo,
} from '@pult/ui'
import { useState } from 'react'
import { OpenJobs } from '#platform/open-jobs/OpenJobs.tsx'
import { seesJobs, useOpenJobs } from '#platform/open-jobs/open-jobs.queries.ts'
import { texts as jobTexts } from '#platform/open-jobs/open-jobs.texts.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useMedia } from '#platform/use-media.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { useOwnTasks } from './own-tasks.queries.ts'
import { RetryTask } from './RetryTask.tsx'
import { TaskAction } from './TaskAction.tsx'
import { TaskOrigin } from './TaskOrigin.tsx'
import { TaskResult } from './TaskResult.tsx'
import { TaskStatus } from './TaskStatus.tsx'
import styles from './TasksPage.module.css'
import { TaskInstant } from './TaskTimes.tsx'
import { texts } from './tasks.texts.ts'
import { useAbortDialog } from './use-abort-dialog.tsx'

const states = ['open', 'finished', 'failed', 'aborted'] as const
type State = (typeof states)[number]
const statuses = { open: 'info', finished: 'ok', failed: 'failed', aborted: 'stopped' } as const
const sorts = Object.keys(texts.sorts) as TaskSort[]
const searchKeys = ['title', 'type', 'kind', 'state', 'user']

/** The tasks of all projects that the user can see, below the jobs of the active project. */
export function TasksPage() {
  const [query, changeQuery] = usePageQuery()
  const { state, mine, search = '', sort: order } = query
  const parameters = notUnderstoodIn(query, { state: states, mine: ['true'], sort: sorts })
  const shown = states.find((one) => one === state) ?? null
  const sort = sorts.find((one) => one === order) ?? 'newest'
  const [isMine, setMine] = useState(mine === 'true')
  const [typed, setTyped] = useTypedValue(search, (text) => changeQuery({ search: text }))
  const list = useOwnTasks({ state: shown ?? undefined, own: mine === 'true', search, sort })
  const { ask, dialog } = useAbortDialog()
  const project = useActiveProject()
  const jobs = useOpenJobs(project?._id, seesJobs(project, useCredentials()))
  const isNarrow = useMedia('(max-width: 1279px)')
  const columns = columnsOf({ isNarrow, onAbort: ask })

  const chooseMine = (isOnlyMine: boolean) => {
    setMine(isOnlyMine)
    changeQuery({ mine: isOnlyMine ? 'true' : '' })
  }

  const clear = () => {
    setTyped('')
    setMine(false)
    changeQuery({ search: '', state: '', mine: '' })
  }

  return (
    <Page width="data" head={<PageHead title={texts.title} text={texts.description} />}>
      {jobs.length > 0 && (
        <Card
          flush
          title={jobTexts.jobsOf(project?.label ?? '')}
          aria-label={jobTexts.jobsOf(project?.label ?? '')}
        >
          <ul>
            <OpenJobs jobs={jobs} />
          </ul>
        </Card>
      )}
      <ListFrame
        list={list}
        isFiltered={shown !== null || mine === 'true' || search !== ''}
        onClear={clear}
        notUnderstood={{
          parameters,
          onRemove: () => changeQuery(Object.fromEntries(parameters.map(({ name }) => [name, '']))),
        }}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.pages, count: texts.count }}
        empty={<EmptyState title={texts.none} text={texts.noneText} />}
        search={<ListSearch label={texts.search} value={typed} onChange={setTyped} keys={searchKeys} />}
        filters={
          <>
            <FilterChips
              label={texts.state}
              value={shown}
              onChange={(next: State | null) => changeQuery({ state: next ?? '' })}
              chips={states.map((value) => ({
                value,
                label: texts.outcomes[value],
                status: statuses[value],
                count: list.answer?.counts[value],
                isCapped: list.answer?.counts.isCapped,
              }))}
            />
            <label className={styles.mine}>
              <input type="checkbox" checked={isMine} onChange={({ target }) => chooseMine(target.checked)} />
              {texts.mine}
            </label>
          </>
        }
        tools={
          <SelectField
            label={texts.sort}
            hideLabel
            className={styles.sort}
            value={sort}
            onChange={({ target }) => changeQuery({ sort: target.value === 'newest' ? '' : target.value })}
          >
            {sorts.map((one) => (
              <option key={one} value={one}>
                {texts.sorts[one]}
              </option>
            ))}
          </SelectField>
        }
      >
        <Table
          label={texts.title}
          columns={columns}
          rows={list.items}
          rowKey={({ _id }) => _id}
          needs={750}
          narrow={narrowTask}
        />
      </ListFrame>
      {dialog}
    </Page>
  )
}

const projectColumn: TableColumn<TaskOfPerson> = {
  header: texts.project,
  cell: (task) => (
    <span className={styles.project}>
      <ProjectOf task={task} />
    </span>
  ),
}

const ProjectOf = ({ task }: { task: TaskOfPerson }) => (
  <ProjectChip label={task.projectLabel} color={task.projectColor} />
)

/** A task on a phone: its title, then state, project and time, and a third line for progress, a file or an error. */
function NarrowTask({ task }: { task: TaskOfPerson }) {
  return (
    <span className={styles.narrow}>
      <span className={styles.narrowTitle}>{useTaskTitle(task)}</span>
      <span className={styles.narrowFacts}>
        <TaskStatus task={task} />
        <span>{task.projectLabel}</span>
        <TimeAgo at={task.startedAt ?? task.createdAt} />
      </span>
      {hasResult(task) && (
        <span className={styles.narrowResult}>
          <TaskResult task={task} />
        </span>
      )}
    </span>
  )
}

/** Whether the result adds information to the state. */
const hasResult = (task: TaskOfPerson) =>
  isOpen(task) || task.error !== null || task.state.fileName !== undefined

const narrowTask = (task: TaskOfPerson) => <NarrowTask task={task} />

interface TitleProps {
  task: TaskOfPerson
  withProject: boolean
}

function Title({ task, withProject }: TitleProps) {
  return (
    <span className={styles.task}>
      {useTaskTitle(task)}
      <span className={styles.quiet}>
        <TaskOrigin task={task} />
      </span>
      {withProject && (
        <span className={styles.projectBelow}>
          <ProjectOf task={task} />
        </span>
      )}
    </span>
  )
}

interface ColumnOptions {
  /** True when the column of projects does not fit. The project then appears below the title. */
  isNarrow: boolean
  onAbort: (task: Task) => void
}

const columnsOf = ({ isNarrow, onAbort }: ColumnOptions): TableColumn<TaskOfPerson>[] => [
  {
    header: texts.task,
    kind: 'title',
    cell: (task) => <Title task={task} withProject={isNarrow} />,
  },
  ...(isNarrow ? [] : [projectColumn]),
  { header: texts.state, cell: (task) => <TaskStatus task={task} /> },
  {
    header: texts.result,
    cell: (task) => (
      <span className={styles.result}>
        <TaskResult task={task} />
      </span>
    ),
  },
  {
    header: texts.started,
    cell: ({ startedAt, createdAt, fulfilledAt }) => (
      <span className={styles.times}>
        <TaskInstant at={startedAt ?? createdAt} />
        <span className={styles.quiet}>
          {startedAt !== null && <Duration from={startedAt} to={fulfilledAt} />}
        </span>
      </span>
    ),
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (task) =>
      task.mayEnd && (
        <span className={styles.rowActions}>
          <RetryTask task={task} />
          <TaskAction task={task} onAbort={onAbort} />
        </span>
      ),
  },
]
