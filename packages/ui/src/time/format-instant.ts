import { defaultLocale, pageLocale, writtenLocale } from '../text/page-locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

const styles = {
  instant: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  exact: { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'medium', hourCycle: 'h23' },
  minute: { timeStyle: 'short', hourCycle: 'h23' },
  dateMinute: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' },
  weekday: { weekday: 'short' },
  day: { day: '2-digit', month: '2-digit' },
  dayMinute: { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  offset: { timeZoneName: 'shortOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Part = keyof typeof styles

const aDay = /^\d{4}-\d\d-\d\d$/

function formatOf(part: Part, locale: string, timeZone?: string): Intl.DateTimeFormat {
  const key = `${part} ${locale} ${timeZone}`
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(writtenLocale(locale), { ...styles[part], ...(timeZone && { timeZone }) })
  formats.set(key, format)
  return format
}

/** Formats an instant; in the default locale the separator is a dash instead of a comma: `dd.MM.yyyy - HH:mm:ss`. */
function write(instant: string | Date, part: Part, locale: string, timeZone?: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return String(instant)
  // A day has no time zone, and is read as its beginning in UTC.
  const zone = typeof instant === 'string' && aDay.test(instant) ? 'UTC' : timeZone
  const text = formatOf(part, locale, zone).format(date)
  return locale === defaultLocale ? text.replace(', ', ' - ') : text
}

/**
 * Formats an instant in the browser's time zone and the language of the page; the default locale (`de`) has
 * `dd.MM.yyyy - HH:mm:ss`. Returns an invalid text unchanged.
 */
export function formatInstant(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'instant', locale)
}

/** Formats like {@link formatInstant}, with the time zone except in the default locale. */
export function formatExactly(instant: string | Date, locale = pageLocale()): string {
  return write(instant, locale === defaultLocale ? 'instant' : 'exact', locale)
}

/** Formats the day of {@link formatInstant}, or a day without a time, as a date field returns it: `2026-11-30`. */
export function formatDate(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'date', locale)
}

/** Formats the time of day of {@link formatInstant}. */
export function formatTime(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'time', locale)
}

/** Formats the time of day without seconds. */
export function formatMinute(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'minute', locale)
}

/** Formats the day and the month without the year, for a tick of an axis. */
export function formatDayOfMonth(instant: Date, locale = pageLocale()): string {
  return write(instant, 'day', locale)
}

/** Formats day, month and time of day without the year and seconds, for an axis of several days. */
export function formatDayAndMinute(instant: Date, locale = pageLocale()): string {
  return write(instant, 'dayMinute', locale)
}

/** Milliseconds by which clocks go back: half an hour on Lord Howe Island, two at the station Troll, one elsewhere. */
const shifts = [1_800_000, 3_600_000, 7_200_000]

/**
 * Writes an instant to the minute. A time that occurs twice, because the clocks go back, has its offset after it.
 *
 * @param writeAt Formats an instant without its offset.
 */
export function withOffset(
  instant: Date,
  writeAt: (instant: Date) => string,
  locale = pageLocale(),
  timeZone?: string,
): string {
  const at = instant.getTime()
  const text = writeAt(instant)
  const isTwofold = shifts
    .flatMap((shift) => [at - shift, at + shift])
    .some((other) => writeAt(new Date(other)) === text)
  if (!isTwofold) return text
  const offset = formatOf('offset', locale, timeZone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value
  return `${text} ${offset}`
}

/**
 * Formats the weekday, day and minute of an instant in a time zone: `Sun, 29 Nov 2026, 15:30`. A time that occurs twice,
 * because the clocks go back, has its offset: `Sun, 25 Oct 2026, 02:20 GMT+2`. Returns an invalid text unchanged.
 */
export function formatInZone(instant: string | Date, timeZone: string, locale = pageLocale()): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return String(instant)
  const text = withOffset(date, (at) => write(at, 'dateMinute', locale, timeZone), locale, timeZone)
  return `${write(date, 'weekday', locale, timeZone)}, ${text}`
}
