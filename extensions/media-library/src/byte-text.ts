const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** Bytes as people say them: three figures and a unit. */
export function byteText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2
  return `${value.toLocaleString('de-DE', { maximumFractionDigits: digits })} ${units[unit] ?? ''}`
}
