import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { formatInstant } from './format-instant.ts'
import { secondClock } from './second-clock.ts'
import { isRecent, timeAgo } from './time-ago.ts'

export interface TimeAgoProps {
  /** ISO 8601. A text that is no instant is shown as it is. */
  at: string
}

/**
 * How long ago something was, refreshed every second: `vor 12 Sekunden`. After five minutes the whole date,
 * `21.11.2026 - 20:15:00`, which until then appears under the pointer.
 */
export function TimeAgo({ at }: TimeAgoProps) {
  const { locale = 'de' } = useUiEnvironment()
  const instant = Date.parse(at)
  const textAt = () =>
    isRecent(instant, secondClock.read())
      ? timeAgo(instant, secondClock.read(), locale)
      : formatInstant(at, locale)
  // The text itself is what is compared: nothing renders in a second that changes nothing.
  const text = useSyncExternalStore(secondClock.subscribe, textAt)
  if (Number.isNaN(instant)) return at
  return (
    <time dateTime={at} lang={locale} title={formatInstant(at, locale)}>
      {text}
    </time>
  )
}
