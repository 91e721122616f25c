import { useFormat } from '@pult/sdk'

/** Shows an instant with date and time, `dd.MM.yyyy - HH:mm:ss`. */
export function Instant({ iso }: { iso: string }) {
  return <time dateTime={iso}>{useFormat().instant(iso)}</time>
}
