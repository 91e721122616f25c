const format = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** `dd.MM.yyyy - HH:mm:ss` in the browser's time zone, in every language; a text that is no instant stays as it is. */
export function formatInstant(instant: string | Date): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? String(instant) : format.format(date).replace(', ', ' - ')
}
