/** From then on the whole date says more. Milliseconds. */
const shownFor = 300_000

/** Whether the time since is shown, and not the date. */
export const isRecent = (instant: number, now: number): boolean => Math.abs(now - instant) < shownFor

/** `vor 12 Sekunden`, `vor 4 Minuten`, `jetzt`. A clock that is ahead of this one's makes nothing happen in the future. */
export function timeAgo(instant: number, now: number, locale: string): string {
  const seconds = Math.max(0, Math.floor((now - instant) / 1000))
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return seconds < 60 ? format.format(-seconds, 'second') : format.format(-Math.floor(seconds / 60), 'minute')
}
