import { defaultLocale, pageLocale } from '../text/page-locale.ts'

type Part = 'instant' | 'date' | 'time'

const formats = new Map<string, Intl.DateTimeFormat>()

/** `dd.MM.yyyy - HH:mm:ss` is German but for the dash; the other languages have it their own way. */
function write(instant: string | Date, part: Part, locale: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return String(instant)
  const key = `${part} ${locale}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, styleOf(part))
  formats.set(key, format)
  return locale === defaultLocale ? format.format(date).replace(', ', ' - ') : format.format(date)
}

function styleOf(part: Part): Intl.DateTimeFormatOptions {
  return {
    ...(part !== 'time' && { dateStyle: 'medium' }),
    ...(part !== 'date' && { timeStyle: 'medium', hourCycle: 'h23' }),
  }
}

/**
 * An instant in the browser's time zone as the language of the page writes it, in the default one as
 * `dd.MM.yyyy - HH:mm:ss`. A text that is no instant stays as it is.
 */
export function formatInstant(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'instant', locale)
}

/** The day of {@link formatInstant}. */
export function formatDate(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'date', locale)
}

/** The time of day of {@link formatInstant}. */
export function formatTime(instant: string | Date, locale = pageLocale()): string {
  return write(instant, 'time', locale)
}
