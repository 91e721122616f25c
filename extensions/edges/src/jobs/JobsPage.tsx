import { AppLink, AskForAccess, useAppNavigate, usePageTitle, useRole } from '@pult/sdk'
import type { EdgeJob } from '@pult/sdk/api'
import { ListFrame, useListView } from '@pult/sdk/resource'
import {
  BackToList,
  Button,
  DataTable,
  type DataTableColumn,
  EmptyState,
  ListSearch,
  PageHead,
  StateChip,
  TimeAgo,
} from '@pult/sdk/ui'
import { texts as scheduleTexts } from '../schedules/schedules.texts.ts'
import { jobStates, stateOf, titleOf } from './job-state.ts'
import styles from './jobs.module.css'
import { useJobList } from './jobs.queries.ts'
import { texts } from './jobs.texts.ts'

/** The jobs of the project, newest first. */
export function JobsPage() {
  usePageTitle(texts.jobs)
  const mayManage = useRole('edges:manage')
  const navigate = useAppNavigate()
  const view = useListView({ sorts: ['-started'], usualSort: '-started', filters: {} })
  const list = useJobList(view.search)
  return (
    <div className={styles.page} data-record-page="">
      <BackToList>{texts.backToEdges}</BackToList>
      <PageHead
        title={texts.jobs}
        actions={<Button onClick={() => navigate('schedules')}>{scheduleTexts.schedules}</Button>}
      />
      <ListFrame
        list={list}
        isFiltered={view.isFiltered}
        onClear={view.clear}
        notUnderstood={view.notUnderstood}
        failed={texts.loadingFailed}
        nothingFound={texts.nothingFound}
        pages={{ label: texts.pages, count: texts.count }}
        search={<ListSearch label={texts.search} value={view.typed} onChange={view.setTyped} />}
        empty={
          <EmptyState
            title={texts.none}
            {...(mayManage
              ? { text: texts.noneText, action: <AppLink to="">{texts.toEdges}</AppLink> }
              : { action: <AskForAccess needs="edges:manage" subject={texts.runningJob} /> })}
          />
        }
      >
        <DataTable
          label={texts.jobs}
          columns={columns}
          rows={list.items}
          page={list}
          rowKey={({ _id }) => _id}
          rowText={titleOf}
          rowHeight={46}
          settings={view.settings}
          onSettingsChange={view.setSettings}
          onOpen={(jobId) => navigate(`jobs/${jobId}`)}
          narrow={narrowJob}
        />
      </ListFrame>
    </div>
  )
}

const State = ({ job }: { job: EdgeJob }) => {
  const { status, label } = stateOf(job)
  return (
    <StateChip plain status={status}>
      {label}
    </StateChip>
  )
}

/** Shows the number of edges in each state, without empty states. */
const progressOf = ({ counts }: EdgeJob) =>
  jobStates
    .filter((state) => counts[state] > 0)
    .map((state) => texts.stateCount(texts.states[state], counts[state]))
    .join(' · ')

const targetOf = ({ group, total }: EdgeJob) => group ?? texts.edges(total)

const Cut = ({ text }: { text: string }) => (
  <span className={styles.cut} title={text}>
    {text}
  </span>
)

const columns: DataTableColumn<EdgeJob>[] = [
  {
    id: 'label',
    header: texts.job,
    kind: 'title',
    width: '1.4fr',
    minWidth: 140,
    cell: (job) => <AppLink to={`jobs/${job._id}`}>{titleOf(job)}</AppLink>,
  },
  { id: 'state', header: texts.state, width: '1.1fr', minWidth: 130, cell: (job) => <State job={job} /> },
  {
    id: 'target',
    header: texts.target,
    width: '1fr',
    minWidth: 100,
    cell: (job) => <Cut text={targetOf(job)} />,
  },
  {
    id: 'progress',
    header: texts.progress,
    width: '1.6fr',
    minWidth: 160,
    cell: (job) => <Cut text={progressOf(job)} />,
  },
  {
    id: 'by',
    header: texts.by,
    width: '1fr',
    minWidth: 110,
    cell: ({ createdBy }) =>
      createdBy === null ? texts.noValue : <Cut text={`${createdBy.firstname} ${createdBy.lastname}`} />,
  },
  {
    id: 'started',
    header: texts.started,
    kind: 'number',
    width: 112,
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
]

const narrowJob = (job: EdgeJob) => (
  <span className={styles.narrow}>
    <AppLink to={`jobs/${job._id}`}>{titleOf(job)}</AppLink>
    <State job={job} />
    <span className={`${styles.quiet} ${styles.cut}`}>{progressOf(job)}</span>
  </span>
)
