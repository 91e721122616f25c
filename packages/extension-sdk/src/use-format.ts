import { formatDate, formatInstant, formatTime } from '@pult/ui'
import { useMemo } from 'react'
import { useLocale } from './hooks.ts'

export interface Format {
  /**
   * Formats an instant in the browser's time zone; `dd.MM.yyyy - HH:mm:ss` in the default language. Returns an invalid
   * text unchanged.
   */
  instant: (instant: string | Date) => string
  /** Formats the day of an instant: `dd.MM.yyyy`. */
  date: (instant: string | Date) => string
  /** Formats the time of day of an instant: `HH:mm:ss`. */
  time: (instant: string | Date) => string
  /** Formats a number in the language of the console: `1.234,5`. */
  number: (value: number, options?: Intl.NumberFormatOptions) => string
}

/**
 * Returns functions that format dates and numbers like the rest of the console.
 *
 * @example const format = useFormat(); format.instant(note.updatedAt); format.number(0.25, { style: 'percent' })
 */
export function useFormat(): Format {
  const locale = useLocale()
  return useMemo(
    () => ({
      instant: (instant) => formatInstant(instant, locale),
      date: (instant) => formatDate(instant, locale),
      time: (instant) => formatTime(instant, locale),
      number: (value, options) => new Intl.NumberFormat(locale, options).format(value),
    }),
    [locale],
  )
}
