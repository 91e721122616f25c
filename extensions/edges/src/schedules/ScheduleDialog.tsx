import { isCancelled, useChange, useNotify, useProject } from '@pult/sdk'
import { type BodyOf, type EdgeSchedule, edgeScheduleEndpoints, limits } from '@pult/sdk/api'
import { Alert, Button, Dialog, DialogActions, ownTimeZone, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useEffect, useState } from 'react'
import { RhythmFields } from './RhythmFields.tsx'
import { cronOf, rhythmOf, usualRhythm } from './rhythm.ts'
import styles from './schedules.module.css'
import { scheduleData } from './schedules.queries.ts'
import { texts } from './schedules.texts.ts'

/** A schedule without its name and times. */
type ScheduleOrder = Omit<NewSchedule, 'label' | 'cron' | 'timeZone'>
type NewSchedule = BodyOf<typeof edgeScheduleEndpoints.create>
type ScheduleChange = BodyOf<typeof edgeScheduleEndpoints.update>

interface ScheduleFormProps {
  /** The order of a new schedule, or the schedule to change. */
  subject: { order: ScheduleOrder } | { schedule: EdgeSchedule }
  /** Called with whether the form has unsaved input. */
  onUnsaved: (isUnsaved: boolean) => void
  onSaved: () => void
  /** Leaves the form. `label` is the label of its button. */
  back: { label: string; onPress: () => void }
}

/** The name and the times of a schedule. */
export function ScheduleForm({ subject, onUnsaved, onSaved, back }: ScheduleFormProps) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const saved = 'schedule' in subject ? subject.schedule : undefined
  const [first] = useState({
    label: saved?.label ?? '',
    rhythm: saved === undefined ? usualRhythm : rhythmOf(saved.cron),
    timeZone: saved?.timeZone ?? ownTimeZone(),
  })
  const [label, setLabel] = useState(first.label)
  const [rhythm, setRhythm] = useState(first.rhythm)
  const [timeZone, setTimeZone] = useState(first.timeZone)
  const [isChecked, setChecked] = useState(false)
  const cron = cronOf(rhythm)
  const isUnsaved = label !== first.label || cron !== cronOf(first.rhythm) || timeZone !== first.timeZone
  useEffect(() => onUnsaved(isUnsaved), [onUnsaved, isUnsaved])
  const create = useChange(
    edgeScheduleEndpoints.create,
    (body: NewSchedule) => ({ params: { projectId }, body }),
    { touches: scheduleData },
  )
  const update = useChange(
    edgeScheduleEndpoints.update,
    ({ schedule: { _id: itemId, revision }, body }: { schedule: EdgeSchedule; body: ScheduleChange }) => ({
      params: { projectId, itemId },
      body,
      revision,
    }),
    { touches: scheduleData },
  )
  const { isPending, error } = saved === undefined ? create : update
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isPending || label.trim() === '' || cron === undefined) return
    // Called after the refetch of the schedules, so that the row behind the dialog has the new revision.
    const onSuccess = () => {
      notify({ title: texts.saved, tone: 'success' })
      onSaved()
    }
    const times = { cron, timeZone }
    const named = { ...times, label: label.trim() }
    // An unchanged name of an earlier release may violate the rules for new ones.
    const body = named.label === first.label ? times : named
    if ('order' in subject) create.mutate({ ...subject.order, ...named }, { onSuccess })
    else update.mutate({ schedule: subject.schedule, body }, { onSuccess })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={texts.name}
        autoFocus
        maxLength={limits.labelMax}
        value={label}
        error={isChecked && label.trim() === '' ? texts.nameMissing : undefined}
        onChange={({ target }) => setLabel(target.value)}
      />
      <RhythmFields rhythm={rhythm} timeZone={timeZone} onChange={setRhythm} onTimeZone={setTimeZone} />
      {saved !== undefined && <p className={styles.quiet}>{texts.actsForYou}</p>}
      {error !== null && !isCancelled(error) && (
        <Alert tone="danger" title={texts.saveFailed}>
          {error.message}
        </Alert>
      )}
      <DialogActions>
        <Button onClick={back.onPress}>{back.label}</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          {texts.save}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Changes the name and the times of a schedule. */
export function ScheduleDialog({ schedule, onClose }: { schedule: EdgeSchedule; onClose: () => void }) {
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <Dialog open title={texts.editOf(schedule.label)} unsaved={isUnsaved} onClose={onClose}>
      <ScheduleForm
        subject={{ schedule }}
        onUnsaved={setUnsaved}
        onSaved={onClose}
        back={{ label: texts.cancel, onPress: onClose }}
      />
    </Dialog>
  )
}
