import { useFormat } from '@pult/sdk'

/** An instant in full, `dd.MM.yyyy - HH:mm:ss`. */
export function Instant({ iso }: { iso: string }) {
  return <time dateTime={iso}>{useFormat().instant(iso)}</time>
}
