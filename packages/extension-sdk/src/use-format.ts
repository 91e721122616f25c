import { formatInstant } from '@pult/ui'
import { useMemo } from 'react'
import { useLocale } from './hooks.ts'

export interface Format {
  /** `dd.MM.yyyy - HH:mm:ss` in the browser's time zone. What is no instant stays as it is. */
  instant: (instant: string | Date) => string
  /** `dd.MM.yyyy` of it. */
  date: (instant: string | Date) => string
  /** `HH:mm:ss` of it. */
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
      instant: formatInstant,
      date: (instant) => formatInstant(instant).replace(/ - .*/, ''),
      time: (instant) => formatInstant(instant).replace(/.* - /, ''),
      number: (value, options) => new Intl.NumberFormat(locale, options).format(value),
    }),
    [locale],
  )
}
