import { pageLocale } from './page-locale.ts'

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/**
 * Formats a number of bytes with a decimal unit and at most three figures, in the language of the page.
 *
 * @example formatBytes(1_234_567) // 1,23 MB
 */
export function formatBytes(bytes: number, locale = pageLocale()): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2
  return `${value.toLocaleString(locale, { maximumFractionDigits: digits })} ${units[unit] ?? ''}`
}
