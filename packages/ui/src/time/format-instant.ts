import { defaultLocale, pageLocale, writtenLocale } from '../text/page-locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

const styles = {
  instant: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  exact: { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'medium', hourCycle: 'h23' },
  minute: { timeStyle: 'short', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Formats an instant; in the default locale the separator is a dash instead of a comma: `dd.MM.yyyy - HH:mm:ss`. */
function write(instant: string | Date, part: keyof typeof styles, locale: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return String(instant)
  const key = `${part} ${locale}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(writtenLocale(locale), styles[part])
  formats.set(key, format)
  return locale === defaultLocale ? format.format(date).replace(', ', ' - ') : format.format(date)
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

/** Formats the day of {@link formatInstant}. */
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
