import { AppLink } from '@pult/sdk'
import type { EdgeSchedule, EdgeScheduleRun } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import { Button, Dialog, EmptyState, formatInZone, StateChip, Table, type TableColumn } from '@pult/sdk/ui'
import styles from './schedules.module.css'
import { useRuns } from './schedules.queries.ts'
import { texts } from './schedules.texts.ts'

/** The last runs of a schedule: the started jobs, and the missed runs. */
export function RunsDialog({ schedule, onClose }: { schedule: EdgeSchedule; onClose: () => void }) {
  return (
    <Dialog
      open
      title={texts.runsOf(schedule.label)}
      onClose={onClose}
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <Loaded query={useRuns(schedule._id)} failed={texts.runsFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={texts.noRuns} />
          ) : (
            <Table
              label={texts.runsOf(schedule.label)}
              columns={columnsOf(schedule.timeZone)}
              rows={items}
              rowKey={({ dueAt }) => dueAt}
            />
          )
        }
      </Loaded>
    </Dialog>
  )
}

const columnsOf = (timeZone: string): TableColumn<EdgeScheduleRun>[] => [
  { header: texts.dueAt, kind: 'title', cell: ({ dueAt }) => formatInZone(dueAt, timeZone) },
  { header: texts.result, cell: (run) => <RunState run={run} /> },
  {
    header: texts.job,
    cell: ({ job }) => (job === null ? texts.noValue : <AppLink to={`jobs/${job}`}>{texts.openJob}</AppLink>),
  },
]

export function RunState({ run: { missed, count } }: { run: EdgeScheduleRun }) {
  if (missed === null)
    return (
      <StateChip plain status="ok">
        {texts.begun}
      </StateChip>
    )
  return (
    <span className={styles.lines}>
      <StateChip plain status="warning">
        {texts.missed(count)}
      </StateChip>
      <span className={styles.quiet}>{texts.misses[missed]}</span>
    </span>
  )
}
