import { isCancelled, useAppNavigate, useChange, useProject } from '@pult/sdk'
import { type EdgeJobCommand, type EdgeJobPreview, type EdgeJobTarget, edgeJobEndpoints } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions } from '@pult/sdk/ui'
import { useEffect, useEffectEvent, useState } from 'react'
import { ScheduleForm } from '../schedules/ScheduleDialog.tsx'
import { texts as scheduleTexts } from '../schedules/schedules.texts.ts'
import { JobForm, type JobOrder } from './JobForm.tsx'
import styles from './jobs.module.css'
import { jobsOf, useJobChoices } from './jobs.queries.ts'
import { texts } from './jobs.texts.ts'
import { Reach } from './Reach.tsx'

interface JobDialogProps {
  title: string
  target: EdgeJobTarget
  onClose: () => void
}

/** Chooses a command with its values, previews its edges, and starts it. */
export function JobDialog({ title, target, onClose }: JobDialogProps) {
  const navigate = useAppNavigate()
  const { _id: projectId } = useProject()
  const choices = useJobChoices()
  const [order, setOrder] = useState<JobOrder | null>(null)
  const [isScheduling, setScheduling] = useState(false)
  const [isJobUnsaved, setJobUnsaved] = useState(false)
  const [isScheduleUnsaved, setScheduleUnsaved] = useState(false)
  /** The page that shows what was saved. */
  const [next, setNext] = useState<string | null>(null)
  const leave = useEffectEvent((path: string) => {
    onClose()
    navigate(path)
  })
  // Navigates in an effect, because the input counts as unsaved until this render.
  useEffect(() => {
    if (next !== null) leave(next)
  }, [next])
  const params = { projectId }
  const preview = useChange(
    edgeJobEndpoints.preview,
    (command: EdgeJobCommand) => ({ params, body: { command, target } }),
    { touches: [] },
  )
  const start = useChange(
    edgeJobEndpoints.start,
    (newOrder: JobOrder) => ({ params, body: { ...newOrder, target } }),
    { touches: [jobsOf(projectId)], onSuccess: ({ _id }) => setNext(`jobs/${_id}`) },
  )
  const showPreview = (newOrder: JobOrder) => {
    setOrder(newOrder)
    start.reset()
    preview.mutate(newOrder.command)
  }
  const isPreviewed = order !== null && preview.isSuccess
  return (
    <Dialog
      open
      title={title}
      unsaved={(isJobUnsaved || isScheduleUnsaved) && next === null}
      onClose={onClose}
    >
      {choices.data === undefined ? (
        <Waiting failed={texts.choicesFailed} error={choices.error} onRetry={() => void choices.refetch()} />
      ) : (
        <>
          {/* Stays mounted, so that it keeps its input while the preview is open. */}
          <div hidden={isPreviewed}>
            <JobForm
              choices={choices.data}
              isPending={preview.isPending}
              onUnsaved={setJobUnsaved}
              onPreview={showPreview}
              onClose={onClose}
            />
            <Failed title={texts.previewFailed} error={preview.error} />
          </div>
          {isPreviewed && isScheduling && 'group' in target && (
            <ScheduleForm
              subject={{ order: scheduled(order, target.group) }}
              back={{
                label: scheduleTexts.back,
                onPress: () => {
                  setScheduling(false)
                  setScheduleUnsaved(false)
                },
              }}
              onUnsaved={setScheduleUnsaved}
              onSaved={() => setNext('schedules')}
            />
          )}
          {isPreviewed && !isScheduling && (
            <Previewed
              preview={preview.data}
              isPending={start.isPending}
              error={start.error}
              onBack={preview.reset}
              onStart={() => start.mutate(order)}
              {...('group' in target && { onSchedule: () => setScheduling(true) })}
            />
          )}
        </>
      )}
    </Dialog>
  )
}

/** Returns the order of a schedule, without a number of days, because a schedule waits until its next run. */
const scheduled = ({ command, atOnce, stopAfter }: JobOrder, group: string) => ({
  command,
  group,
  ...(atOnce !== undefined && { atOnce }),
  ...(stopAfter !== undefined && 'percent' in stopAfter && { stopPercent: stopAfter.percent }),
})

interface PreviewedProps {
  preview: EdgeJobPreview
  isPending: boolean
  error: Error | null
  onBack: () => void
  onStart: () => void
  /** Only a group can be scheduled. */
  onSchedule?: () => void
}

function Previewed({ preview, isPending, error, onBack, onStart, onSchedule }: PreviewedProps) {
  const total = preview.now.count + preview.away.count
  return (
    <div className={styles.form}>
      <Reach preview={preview} />
      {total === 0 && <Alert tone="warning" title={texts.reachesNone} />}
      <Failed title={texts.startFailed} error={error} />
      <DialogActions>
        <Button onClick={onBack}>{texts.change}</Button>
        {onSchedule !== undefined && <Button onClick={onSchedule}>{scheduleTexts.schedule}</Button>}
        <Button variant="primary" disabled={total === 0} pending={isPending} onClick={onStart}>
          {texts.start(total)}
        </Button>
      </DialogActions>
    </div>
  )
}

function Failed({ title, error }: { title: string; error: Error | null }) {
  if (error === null || isCancelled(error)) return null
  return (
    <Alert tone="danger" title={title}>
      {error.message}
    </Alert>
  )
}
