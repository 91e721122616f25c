const format = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** `dd.MM.yyyy - HH:mm:ss` in the browser's time zone, as everywhere in the console. */
export function formatInstant(iso: string): string {
  return format.format(new Date(iso)).replace(', ', ' - ')
}
