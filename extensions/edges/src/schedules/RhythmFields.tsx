import { isCancelled } from '@pult/sdk'
import { Alert, ComboBox, formatInZone, SelectField, TextField, timeZones } from '@pult/sdk/ui'
import { useDeferredValue, useMemo } from 'react'
import { cronOf, type Rhythm, type RhythmKind, rhythmKinds } from './rhythm.ts'
import styles from './schedules.module.css'
import { useTimes } from './schedules.queries.ts'
import { texts } from './schedules.texts.ts'

interface RhythmFieldsProps {
  rhythm: Rhythm
  timeZone: string
  onChange: (rhythm: Rhythm) => void
  onTimeZone: (timeZone: string) => void
}

const weekdays = [1, 2, 3, 4, 5, 6, 0]
const days = Array.from({ length: 28 }, (_, index) => index + 1)

/** The times of a schedule, with a preview of the next ones. */
export function RhythmFields({ rhythm, timeZone, onChange, onTimeZone }: RhythmFieldsProps) {
  const { kind, time, weekday, day, cron } = rhythm
  const set = (changes: Partial<Rhythm>) => onChange({ ...rhythm, ...changes })
  const zones = useMemo(
    // A saved zone may be one that this browser does not list.
    () => [...new Set([...timeZones(), timeZone])].map((zone) => ({ id: zone, text: zone })),
    [timeZone],
  )
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label={texts.rhythm}
          value={kind}
          onChange={({ target }) => set({ kind: target.value as RhythmKind, cron: cronOf(rhythm) ?? cron })}
        >
          {rhythmKinds.map((one) => (
            <option key={one} value={one}>
              {texts.kinds[one]}
            </option>
          ))}
        </SelectField>
        {kind === 'weekly' && (
          <SelectField
            label={texts.weekday}
            value={weekday}
            onChange={({ target }) => set({ weekday: Number(target.value) })}
          >
            {weekdays.map((one) => (
              <option key={one} value={one}>
                {texts.weekdays(one)}
              </option>
            ))}
          </SelectField>
        )}
        {kind === 'monthly' && (
          <SelectField
            label={texts.day}
            value={day}
            onChange={({ target }) => set({ day: Number(target.value) })}
          >
            {days.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </SelectField>
        )}
        {kind === 'cron' ? (
          <TextField
            label={texts.cron}
            description={texts.cronHint}
            maxLength={100}
            value={cron}
            onChange={({ target }) => set({ cron: target.value })}
          />
        ) : (
          <TextField
            label={texts.time}
            type="time"
            required
            value={time}
            onChange={({ target }) => set({ time: target.value })}
          />
        )}
        <ComboBox
          label={texts.timeZone}
          options={zones}
          value={timeZone}
          onChange={(zone) => zone !== null && onTimeZone(zone)}
          emptyText={texts.noTimeZone}
        />
      </div>
      <Times cron={cronOf(rhythm)} timeZone={timeZone} />
    </>
  )
}

function Times({ cron, timeZone }: { cron: string | undefined; timeZone: string }) {
  const deferredCron = useDeferredValue(cron)
  const { data, error } = useTimes(deferredCron, timeZone)
  if (error !== null && !isCancelled(error))
    return (
      <Alert tone="warning" title={texts.timesFailed}>
        {error.message}
      </Alert>
    )
  return (
    <div className={styles.times} aria-live="polite">
      <p className={styles.quiet}>{texts.next}</p>
      <ol>
        {(data?.times ?? []).map((time) => (
          <li key={time}>{formatInZone(time, timeZone)}</li>
        ))}
      </ol>
      {data !== undefined && data.moved !== null && (
        <p className={styles.quiet}>{texts.moved(formatInZone(data.moved, timeZone))}</p>
      )}
    </div>
  )
}
