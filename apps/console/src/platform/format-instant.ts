const format = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** `dd.MM.yyyy - HH:mm:ss` in the browser's time zone; what is not an instant stays as it is. */
export function formatInstant(iso: string): string {
  const instant = new Date(iso)
  return Number.isNaN(instant.getTime()) ? iso : format.format(instant).replace(', ', ' - ')
}
