import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { durationInSeconds } from './duration-in-seconds.ts'
import { formatDuration } from './format-duration.ts'
import { secondClock } from './second-clock.ts'

export interface DurationProps {
  /** Start as ISO 8601. */
  from: string
  /** End as ISO 8601; null while it runs, which updates the duration every second. */
  to: string | null
}

/** Shows a duration with at most two units, `1 h 12 min`; the default catalogue (`de`) shows seconds, `4.320 s`. */
export function Duration({ from, to }: DurationProps) {
  const { locale = 'de' } = useUiEnvironment()
  const seconds = useSyncExternalStore(to === null ? secondClock.subscribe : never, () =>
    durationInSeconds(from, to, secondClock.read()),
  )
  return <time dateTime={`PT${seconds}S`}>{formatDuration(seconds, locale)}</time>
}

/** Does not subscribe to the clock, because a finished duration does not change. */
const never = () => () => {}
