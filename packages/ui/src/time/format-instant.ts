import { defaultLocale, pageLocale, writtenLocale } from '../text/page-locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

const styles = {
  instant: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  exact: { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'medium', hourCycle: 'h23' },
  minute: { timeStyle: 'short', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** `dd.MM.yyyy - HH:mm:ss` is German but for the dash; the other languages have it their own way. */
function write(instant: string | Date, part: keyof typeof styles, locale: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return String(instant)
  const key = `${part} ${locale}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(writtenLocale(locale), styles[part])
  formats.set(key, format)
  return locale === defaultLocale ? format.format(date).replace(', ', ' - ') : format.format(date)
}

/**
 * An instant in the browser's time zone as the language of the page writes it, in the default one as
 * `dd.MM.yyyy - HH:mm:ss`. A text that is no instant stays as it is.
 */
export function formatInstant(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'instant', locale)
}

/** {@link formatInstant} with the time zone, except in the default language. */
export function formatExactly(instant: string | Date, locale = pageLocale()): string {
  return write(instant, locale === defaultLocale ? 'instant' : 'exact', locale)
}

/** The day of {@link formatInstant}. */
export function formatDate(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'date', locale)
}

/** The time of day of {@link formatInstant}. */
export function formatTime(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'time', locale)
}

/** The time of day without seconds. */
export function formatMinute(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'minute', locale)
}
