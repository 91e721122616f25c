import { defaultLocale } from '../text/page-locale.ts'

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** Formats a duration with at most two units, `1 h 12 min`; the default catalogue (`de`) has seconds, `4.320 s`. */
export function formatDuration(seconds: number, locale: string): string {
  if (locale === defaultLocale) return `${new Intl.NumberFormat(locale).format(seconds)} s`
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first === -1) return '0\u202Fs'
  const parts = units.slice(first, first + 2).map(([unit, size], index) => {
    const rest = index === 0 ? seconds : seconds % (units[first]?.[1] ?? 1)
    return [Math.floor(rest / size), unit] as const
  })
  return parts.flatMap(([value, unit]) => (value === 0 ? [] : [`${value}\u202F${unit}`])).join(' ')
}
