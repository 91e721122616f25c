const format = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** An instant as `dd.MM.yyyy - HH:mm:ss` in the browser's time zone. */
export function Instant({ iso }: { iso: string }) {
  return <time dateTime={iso}>{format.format(new Date(iso)).replace(', ', ' - ')}</time>
}
