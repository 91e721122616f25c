import {
  useAppNavigate,
  useAppParams,
  useChange,
  useNotify,
  usePageTitle,
  useProject,
  useRole,
} from '@pult/sdk'
import { type EdgeJob, type EdgeJobLine, edgeJobEndpoints } from '@pult/sdk/api'
import { ListFrame, RecordPage, useListView } from '@pult/sdk/resource'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  FilterChips,
  ListSearch,
  PageHead,
  StateChip,
  TimeAgo,
} from '@pult/sdk/ui'
import { useState } from 'react'
import { texts as edgesTexts } from '../edges.texts.ts'
import { JobLines } from './JobLines.tsx'
import { jobStates, stateOf, statusOfState, titleOf, valuesText } from './job-state.ts'
import styles from './jobs.module.css'
import { jobsOf, useJob, useJobLines } from './jobs.queries.ts'
import { texts } from './jobs.texts.ts'
import { LogDialog } from './LogDialog.tsx'

/** One job with a row for each of its edges. */
export function JobPage() {
  const { jobId = '' } = useAppParams()
  return (
    <RecordPage
      back={texts.back}
      backTo="jobs"
      query={useJob(jobId)}
      failed={texts.oneLoadingFailed}
      gone={<EmptyState title={texts.gone} text={texts.goneText} />}
    >
      {(job) => <OneJob key={jobId} job={job} />}
    </RecordPage>
  )
}

function OneJob({ job }: { job: EdgeJob }) {
  const title = titleOf(job)
  usePageTitle(title)
  const mayManage = useRole('edges:manage')
  const view = useListView({ sorts: ['label'], usualSort: 'label', filters: { state: jobStates } })
  const list = useJobLines(job._id, { search: view.search, state: view.filters.state })
  const [shown, setShown] = useState<EdgeJobLine | null>(null)
  const { status, label } = stateOf(job)
  return (
    <>
      <PageHead
        title={title}
        state={<StateChip status={status}>{label}</StateChip>}
        text={<Facts job={job} />}
        {...(mayManage ? { actions: <JobActions job={job} /> } : { lock: edgesTexts.changedByOperators })}
      />
      <ListFrame
        list={list}
        isFiltered={view.isFiltered}
        onClear={view.clear}
        notUnderstood={view.notUnderstood}
        failed={texts.linesFailed}
        nothingFound={texts.nothingFoundEdges}
        pages={{ label: texts.linePages, count: texts.edges }}
        search={<ListSearch label={texts.searchEdges} value={view.typed} onChange={view.setTyped} />}
        filters={
          <FilterChips
            label={texts.state}
            value={view.filters.state}
            onChange={(state) => view.setFilters({ state })}
            chips={jobStates
              .filter((state) => job.counts[state] > 0 || view.filters.state === state)
              .map((value) => ({
                value,
                label: texts.states[value],
                status: statusOfState[value],
                count: job.counts[value],
              }))}
          />
        }
        empty={<EmptyState title={texts.noEdges} />}
      >
        <JobLines
          lines={list.items}
          page={list}
          settings={view.settings}
          onSettingsChange={view.setSettings}
          onLog={setShown}
        />
      </ListFrame>
      {shown !== null && <LogDialog jobId={job._id} line={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Facts({ job }: { job: EdgeJob }) {
  const { createdBy, createdAt, group, total, atOnce, stopAfter, expiresAt, endedAt } = job
  const values = valuesText(job)
  return (
    <>
      {group ?? texts.edges(total)} · {texts.limitsOf(atOnce, stopAfter)} · {texts.started}{' '}
      <TimeAgo at={createdAt} />
      {createdBy !== null && ` · ${createdBy.firstname} ${createdBy.lastname}`}
      {endedAt === null && (
        <>
          {' · '}
          {texts.expires} <TimeAgo at={expiresAt} />
        </>
      )}
      {values !== '' && ` · ${values}`}
    </>
  )
}

function JobActions({ job: { _id: jobId, counts, endedAt } }: { job: EdgeJob }) {
  const notify = useNotify()
  const navigate = useAppNavigate()
  const { _id: projectId } = useProject()
  const [isAsking, setAsking] = useState(false)
  const params = { projectId, jobId }
  const touches = [jobsOf(projectId)]
  const cancel = useChange(edgeJobEndpoints.cancel, () => ({ params }), {
    touches,
    onError: (error) => notify({ title: texts.cancelFailed, error }),
  })
  const retry = useChange(edgeJobEndpoints.retry, () => ({ params }), {
    touches,
    onSuccess: ({ _id }) => navigate(`jobs/${_id}`),
    onError: (error) => notify({ title: texts.retryFailed, error }),
  })
  const left = counts.failed + counts.expired
  return (
    <div className={styles.actions}>
      {endedAt === null && counts.waiting > 0 && (
        <Button variant="danger-quiet" pending={cancel.isPending} onClick={() => setAsking(true)}>
          {texts.cancelRest}
        </Button>
      )}
      {endedAt !== null && left > 0 && (
        <Button pending={retry.isPending} onClick={() => retry.mutate()}>
          {texts.retry(left)}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={texts.cancelQuestion}
        confirmLabel={texts.cancelRest}
        cancelLabel={texts.close}
        onConfirm={() => {
          setAsking(false)
          cancel.mutate()
        }}
        onCancel={() => setAsking(false)}
      >
        {texts.cancelText(counts.waiting)}
      </ConfirmDialog>
    </div>
  )
}
