import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { formatExactly } from './format-instant.ts'
import { secondClock } from './second-clock.ts'
import { timeAgo } from './time-ago.ts'

export interface TimeAgoProps {
  /** Instant as ISO 8601. An invalid text is shown unchanged. */
  at: string
  /** Puts the time into a sentence, such as "Expires …". */
  sentence?: (time: string) => string
}

/**
 * Shows the time since or until an instant, updated every second: `3 s ago`, `41 min ago`, `yesterday, 18:20`,
 * `in 6 days`, beyond seven days the date. The default catalogue (`de`) shows the full date after five minutes. The
 * tooltip shows the exact time with its zone.
 */
export function TimeAgo({ at, sentence = asItIs }: TimeAgoProps) {
  const { locale = 'de' } = useUiEnvironment()
  const instant = Date.parse(at)
  const isInstant = !Number.isNaN(instant)
  // Compares the text, so that a second without a visible change does not render.
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
