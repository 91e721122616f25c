import { formatDate, formatInstant, formatTime } from '@pult/ui'
import { useMemo } from 'react'
import { useLocale } from './hooks.ts'

export interface Format {
  /**
   * In the browser's time zone; `dd.MM.yyyy - HH:mm:ss` in the default language. A text that is not an instant is
   * returned unchanged.
   */
  instant: (instant: string | Date) => string
  /** Its day: `dd.MM.yyyy`. */
  date: (instant: string | Date) => string
  /** Its time of day: `HH:mm:ss`. */
  time: (instant: string | Date) => string
  /** A number as the console's language writes it: `1.234,5`. */
  number: (value: number, options?: Intl.NumberFormatOptions) => string
}

/**
 * Writes dates and numbers as everywhere in the console.
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
