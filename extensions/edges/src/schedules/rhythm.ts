export type RhythmKind = 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'cron'

/** A rhythm as entered in the form. Each kind uses its own fields. */
export interface Rhythm {
  kind: RhythmKind
  /** `HH:mm` */
  time: string
  /** 0 to 6, from Sunday. */
  weekday: number
  /** 1 to 28, which every month has. */
  day: number
  cron: string
}

export const rhythmKinds: readonly RhythmKind[] = ['daily', 'weekdays', 'weekly', 'monthly', 'cron']

export const usualRhythm: Rhythm = { kind: 'daily', time: '03:00', weekday: 1, day: 1, cron: '0 3 * * *' }

/** Returns a cron pattern of five fields; undefined while the time is incomplete. */
export function cronOf({ kind, time, weekday, day, cron }: Rhythm): string | undefined {
  if (kind === 'cron') return cron.trim() === '' ? undefined : cron.trim()
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time) ?? []
  if (hour === undefined || minute === undefined) return undefined
  const days = { daily: '* * *', weekdays: '* * 1-5', weekly: `* * ${weekday}`, monthly: `${day} * *` }[kind]
  return `${Number(minute)} ${Number(hour)} ${days}`
}

/** Parses a saved pattern as the simplest kind of rhythm. */
export function rhythmOf(cron: string): Rhythm {
  const [, minute, hour, day, weekday] = /^(\d\d?) (\d\d?) (\*|\d\d?) \* (\*|1-5|[0-6])$/.exec(cron) ?? []
  const rest = { ...usualRhythm, kind: 'cron' as const, cron }
  if (minute === undefined || hour === undefined || day === undefined || weekday === undefined) return rest
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*') {
    if (weekday === '*') return { ...rest, kind: 'daily', time }
    if (weekday === '1-5') return { ...rest, kind: 'weekdays', time }
    return { ...rest, kind: 'weekly', time, weekday: Number(weekday) }
  }
  return weekday === '*' && Number(day) <= 28 ? { ...rest, kind: 'monthly', time, day: Number(day) } : rest
}
