import { AppLink, AskForAccess, useChange, useNotify, usePageTitle, useProject, useRole } from '@pult/sdk'
import { type EdgeSchedule, edgeScheduleEndpoints } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import {
  BackToList,
  Button,
  Card,
  ConfirmedAction,
  EmptyState,
  formatInZone,
  keepFocus,
  PageHead,
  StateChip,
  Table,
  type TableColumn,
} from '@pult/sdk/ui'
import { useState } from 'react'
import { texts as edgesTexts } from '../edges.texts.ts'
import { RunState, RunsDialog } from './RunsDialog.tsx'
import { cronOf, rhythmOf } from './rhythm.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import styles from './schedules.module.css'
import { scheduleData, useSchedules } from './schedules.queries.ts'
import { texts } from './schedules.texts.ts'

/** The schedules of the project, by name. */
export function SchedulesPage() {
  usePageTitle(texts.schedules)
  const mayManage = useRole('edges:manage')
  const schedules = useSchedules()
  const [opened, setOpened] = useState<OpenedSchedule | null>(null)
  const close = () => setOpened(null)
  return (
    <div className={styles.page} data-record-page="">
      <BackToList>{texts.backToEdges}</BackToList>
      <PageHead
        title={texts.schedules}
        text={texts.schedulesText}
        {...(!mayManage && { lock: edgesTexts.changedByOperators })}
      />
      <Card ref={keepFocus} tabIndex={-1} flush>
        <Loaded query={schedules} failed={texts.loadingFailed}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState
                title={texts.none}
                {...(mayManage
                  ? { text: texts.noneText, action: <AppLink to="">{texts.toEdges}</AppLink> }
                  : { action: <AskForAccess needs="edges:manage" subject={texts.planning} /> })}
              />
            ) : (
              <Table
                label={texts.schedules}
                columns={columnsOf({ mayManage, onOpen: setOpened })}
                rows={items}
                rowKey={({ _id }) => _id}
              />
            )
          }
        </Loaded>
      </Card>
      {opened?.part === 'runs' && <RunsDialog schedule={opened.schedule} onClose={close} />}
      {opened?.part === 'edit' && <ScheduleDialog schedule={opened.schedule} onClose={close} />}
    </div>
  )
}

interface OpenedSchedule {
  schedule: EdgeSchedule
  part: 'runs' | 'edit'
}

interface ColumnParts {
  mayManage: boolean
  onOpen: (opened: OpenedSchedule) => void
}

const columnsOf = ({ mayManage, onOpen }: ColumnParts): TableColumn<EdgeSchedule>[] => [
  {
    header: texts.name,
    kind: 'title',
    cell: ({ label, groupLabel }) => (
      <span className={styles.lines}>
        {label}
        <span className={styles.quiet}>{groupLabel ?? texts.groupGone}</span>
      </span>
    ),
  },
  { header: texts.rhythm, cell: ({ cron, timeZone }) => `${rhythmText(cron)} · ${timeZone}` },
  { header: texts.nextRun, cell: (schedule) => <Next schedule={schedule} /> },
  {
    header: texts.lastRun,
    cell: ({ lastRun }) => (lastRun === null ? texts.noValue : <RunState run={lastRun} />),
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (schedule) => (
      <span className={styles.actions}>
        <Button
          variant="ghost"
          aria-label={texts.runsOf(schedule.label)}
          onClick={() => onOpen({ schedule, part: 'runs' })}
        >
          {texts.runs}
        </Button>
        {mayManage && (
          <>
            <Pause schedule={schedule} />
            <Button
              variant="ghost"
              aria-label={texts.editOf(schedule.label)}
              onClick={() => onOpen({ schedule, part: 'edit' })}
            >
              {texts.edit}
            </Button>
            <Remove schedule={schedule} />
          </>
        )}
      </span>
    ),
  },
]

/** Returns a rhythm in words, or the pattern if it has no simple kind. */
function rhythmText(cron: string): string {
  const rhythm = rhythmOf(cron)
  return rhythm.kind === 'cron' ? (cronOf(rhythm) ?? cron) : texts.inWords(rhythm)
}

function Next({ schedule: { isPaused, nextAt, timeZone } }: { schedule: EdgeSchedule }) {
  if (isPaused)
    return (
      <StateChip plain status="paused">
        {texts.paused}
      </StateChip>
    )
  return nextAt === null ? texts.noValue : formatInZone(nextAt, timeZone)
}

function Pause({ schedule: { _id: itemId, label, isPaused, revision } }: { schedule: EdgeSchedule }) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const { mutate, isPending } = useChange(
    edgeScheduleEndpoints.update,
    () => ({ params: { projectId, itemId }, body: { isPaused: !isPaused }, revision }),
    { touches: scheduleData, onError: (error) => notify({ title: texts.saveFailed, error }) },
  )
  return (
    <Button
      variant="ghost"
      pending={isPending}
      aria-label={isPaused ? texts.resumeOne(label) : texts.pauseOne(label)}
      onClick={() => mutate()}
    >
      {isPaused ? texts.resume : texts.pause}
    </Button>
  )
}

function Remove({ schedule: { _id: itemId, label } }: { schedule: EdgeSchedule }) {
  const { _id: projectId } = useProject()
  const params = { projectId, itemId }
  const remove = useChange(edgeScheduleEndpoints.remove, () => ({ params }), { touches: scheduleData })
  return (
    <ConfirmedAction
      label={texts.remove}
      accessibleLabel={texts.removeOne(label)}
      variant="danger-quiet"
      question={texts.removeQuestion(label)}
      text={texts.removeText}
      done={texts.removed(label)}
      run={() => remove.mutateAsync()}
    />
  )
}
