import type { BackupConfig } from '../config.ts'

type Schedule = Pick<BackupConfig, 'schedule' | 'hour'>

/** The first scheduled time after `now`, in the time zone of the server; undefined without a schedule. */
export const nextTime = (schedule: Schedule, now: Date): Date | undefined =>
  timesFrom(schedule, now, 1).find((time) => time > now)

/** The last scheduled time up to `now`. */
export const lastTime = (schedule: Schedule, now: Date): Date | undefined =>
  timesFrom(schedule, now, -1).find((time) => time <= now)

const hourLength = 3_600_000

/** The scheduled times of this hour and the next one, or of today and the seven days after or before it. */
function timesFrom({ schedule, hour }: Schedule, now: Date, step: 1 | -1): Date[] {
  if (schedule === 'off') return []
  if (schedule === 'hourly') {
    // Setting the minutes of a local time would skip the hour that a change of the clock repeats.
    const minutes = (now.getMinutes() * 60 + now.getSeconds()) * 1000 + now.getMilliseconds()
    return [0, 1].map((hours) => new Date(now.getTime() - minutes + hours * hourLength))
  }
  const days = Array.from({ length: 8 }, (_, index) => {
    const time = new Date(now)
    time.setDate(time.getDate() + index * step)
    time.setHours(hour, 0, 0, 0)
    return time
  })
  return schedule === 'daily' ? days : days.filter((time) => time.getDay() === 0)
}
