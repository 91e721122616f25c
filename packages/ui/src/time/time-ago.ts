import { defaultLocale } from '../text/page-locale.ts'
import { formatDate, formatInstant, formatMinute } from './format-instant.ts'

/** Age in milliseconds from which the specification's catalogue shows the full date. */
const shownFor = 300_000

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const daysShown = 7

const formats = new Map<string, Intl.RelativeTimeFormat>()

function relative(locale: string): Intl.RelativeTimeFormat {
  const format = formats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  formats.set(locale, format)
  return format
}

/** Returns the whole calendar days between two instants in the viewer's time zone. */
function daysBetween(earlier: number, later: number): number {
  const midnight = (instant: number) => {
    const date = new Date(instant)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.round((midnight(later) - midnight(earlier)) / (24 * hour))
}

/** Formats a past time: `3 s ago`, `vor 41 min`. The unit symbols are the same in both languages. */
function ago(value: number, unit: string, locale: string): string {
  const amount = `${value}\u202F${unit}`
  return locale.startsWith('de') ? `vor ${amount}` : `${amount} ago`
}

/** Formats a future time, in both languages: `in 41 min`, `tomorrow, 18:20`, `in 6 days`. */
function fromNow(instant: number, now: number, locale: string): string {
  const ahead = instant - now
  if (ahead < hour) return `in ${Math.floor(ahead / minute)}\u202Fmin`
  const days = daysBetween(now, instant)
  if (days === 0) return `in ${Math.floor(ahead / hour)}\u202Fh`
  return onDay(days, instant, locale)
}

/** Formats a day before or after today; negative values are in the past. */
function onDay(days: number, instant: number, locale: string): string {
  const day = relative(locale).format(days, 'day')
  if (Math.abs(days) === 1) return `${day}, ${formatMinute(new Date(instant), locale)}`
  return Math.abs(days) < daysShown ? day : formatDate(new Date(instant), locale)
}

/**
 * Formats the time since or until an instant: seconds, minutes, hours of the same day, `yesterday, 18:20`, up to seven
 * days, then the date. The default catalogue (`de`) has `vor 12 Sekunden` and, after five minutes, the full date. Less
 * than a minute in the future counts as now, because the two clocks may differ.
 */
export function timeAgo(instant: number, now: number, locale: string): string {
  const age = Math.max(0, now - instant)
  const format = relative(locale)
  if (locale === defaultLocale) {
    if (Math.abs(now - instant) >= shownFor) return formatInstant(new Date(instant), locale)
    return age < minute
      ? format.format(-Math.floor(age / second), 'second')
      : format.format(-Math.floor(age / minute), 'minute')
  }
  if (instant - now >= minute) return fromNow(instant, now, locale)
  if (age < second) return format.format(0, 'second')
  if (age < minute) return ago(Math.floor(age / second), 's', locale)
  if (age < hour) return ago(Math.floor(age / minute), 'min', locale)
  const days = daysBetween(instant, now)
  if (days === 0) return ago(Math.floor(age / hour), 'h', locale)
  return onDay(-days, instant, locale)
}
