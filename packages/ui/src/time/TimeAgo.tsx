import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { formatExactly } from './format-instant.ts'
import { secondClock } from './second-clock.ts'
import { timeAgo } from './time-ago.ts'

export interface TimeAgoProps {
  /** ISO 8601. A text that is no instant is shown as it is. */
  at: string
  /** Puts the time into a sentence, such as "Expires …". */
  sentence?: (time: string) => string
}

/**
 * How long ago something was, or how far ahead it is, refreshed every second by one clock: `3 s ago`, `41 min ago`,
 * `yesterday, 18:20`, `in 6 days`, beyond seven days the date. The specification's catalogue shows the full date after
 * five minutes. The exact time with its zone appears under the pointer.
 */
export function TimeAgo({ at, sentence = asItIs }: TimeAgoProps) {
  const { locale = 'de' } = useUiEnvironment()
  const instant = Date.parse(at)
  const isInstant = !Number.isNaN(instant)
  // Compares the text itself, so that a second without a visible change does not render.
  const text = useSyncExternalStore(secondClock.subscribe, () =>
    sentence(isInstant ? timeAgo(instant, secondClock.read(), locale) : at),
  )
  if (!isInstant) return text
  return (
    <time dateTime={at} lang={locale} title={formatExactly(at, locale)}>
      {text}
    </time>
  )
}

const asItIs = (time: string) => time
