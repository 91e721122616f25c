/** Returns the time zones for a choice. UTC comes first, because Chromium lists none of its names. */
export const timeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** Returns the time zone of this browser, or UTC if it has none that other computers know. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  // A browser returns Etc/Unknown for an operating system without a zone.
  return timeZone !== 'Etc/Unknown' && isTimeZone(timeZone) ? timeZone : 'UTC'
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).format(0) !== ''
  } catch {
    return false
  }
}
