import type { Task, TaskOfPerson } from '@pult/contract'
import { usePageQuery } from '@pult/sdk'
import { useTypedValue, Waiting } from '@pult/sdk/resource'
import { useTaskTitle } from '@pult/sdk/tasks'
import { ListSearch, Pager } from '@pult/sdk/ui'
import { Card, Duration, EmptyState, PageHeader, ProjectChip, Table, type TableColumn } from '@pult/ui'
import { useState } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import { useOwnTasks } from './own-tasks.queries.ts'
import { TaskAction } from './TaskAction.tsx'
import { TaskFilterChoice } from './TaskFilterChoice.tsx'
import { TaskOrigin } from './TaskOrigin.tsx'
import { TaskResult } from './TaskResult.tsx'
import { TaskStatus } from './TaskStatus.tsx'
import styles from './TasksPage.module.css'
import { TaskInstant } from './TaskTimes.tsx'
import { texts } from './tasks.texts.ts'
import { useAbortDialog } from './use-abort-dialog.tsx'
import { useMedia } from './use-media.ts'

const states = ['all', 'running', 'ended'] as const
/** As the server knows them. */
const stateOf = { all: undefined, running: 'open', ended: 'ended' } as const
const searchKeys = ['title', 'type', 'kind', 'state', 'user']

/** The tasks of all projects that the person sees. */
export function TasksPage() {
  usePageTitle(texts.title)
  const [{ state, mine, search = '' }, changeQuery] = usePageQuery()
  const shown = states.find((one) => one === state) ?? 'all'
  // What was chosen leads, the address follows: it takes a moment.
  const [chosen, setChosen] = useState<(typeof states)[number]>(shown)
  const [isMine, setMine] = useState(mine === 'true')
  const [typed, setTyped] = useTypedValue(search, (text) => changeQuery({ search: text }))
  const list = useOwnTasks({ state: stateOf[shown], own: mine === 'true', search })
  const { ask, dialog } = useAbortDialog()
  const [card, setCard] = useState<HTMLElement | null>(null)
  const isNarrow = useMedia('(max-width: 1279px)')
  const columns = columnsOf({ isNarrow, onAbort: ask, onArchived: () => card?.focus() })

  const chooseState = (filter: (typeof states)[number]) => {
    setChosen(filter)
    changeQuery({ state: filter === 'all' ? '' : filter })
  }
  const chooseMine = (isOnlyMine: boolean) => {
    setMine(isOnlyMine)
    changeQuery({ mine: isOnlyMine ? 'true' : '' })
  }

  return (
    <div className={styles.page}>
      <PageHeader title={texts.title} description={texts.description} />
      <div className={styles.toolbar}>
        <ListSearch label={texts.search} value={typed} onChange={setTyped} keys={searchKeys} />
        <div className={styles.filters}>
          <TaskFilterChoice filters={states} value={chosen} onChange={chooseState} />
          <label className={styles.mine}>
            <input type="checkbox" checked={isMine} onChange={({ target }) => chooseMine(target.checked)} />
            {texts.mine}
          </label>
        </div>
      </div>
      <Card ref={setCard} tabIndex={-1} className={styles.card} flush>
        {list.error !== null && list.items === undefined ? (
          <Waiting failed={texts.loadingFailed} error={list.error} onRetry={list.retry} />
        ) : list.items?.length === 0 ? (
          <Nothing isAll={shown === 'all' && mine !== 'true' && search === ''} />
        ) : (
          <Table
            label={texts.title}
            columns={columns}
            rows={list.items}
            rowKey={({ _id }) => _id}
            needs={750}
          />
        )}
        <Pager list={list} label={texts.pages} count={texts.count} />
      </Card>
      {dialog}
    </div>
  )
}

function Nothing({ isAll }: { isAll: boolean }) {
  return isAll ? (
    <EmptyState title={texts.none} text={texts.noneText} />
  ) : (
    <EmptyState title={texts.nothingFound} text={texts.nothingFoundText} />
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

interface ColumnWishes {
  /** There is no room for a column of the projects: they stand below the titles. */
  isNarrow: boolean
  onAbort: (task: Task) => void
  onArchived: () => void
}

const columnsOf = ({ isNarrow, onAbort, onArchived }: ColumnWishes): TableColumn<TaskOfPerson>[] => [
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
    cell: (task) => task.mayEnd && <TaskAction task={task} onAbort={onAbort} onArchived={onArchived} />,
  },
]
