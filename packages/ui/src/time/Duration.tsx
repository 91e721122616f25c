import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { durationInSeconds } from './duration-in-seconds.ts'
import { secondClock } from './second-clock.ts'

export interface DurationProps {
  /** ISO 8601. */
  from: string
  /** ISO 8601; null while it goes on: then it is refreshed every second. */
  to: string | null
}

/** How long something has taken, in seconds: `1.204 s`. */
export function Duration({ from, to }: DurationProps) {
  const { locale = 'de' } = useUiEnvironment()
  const seconds = useSyncExternalStore(to === null ? secondClock.subscribe : never, () =>
    durationInSeconds(from, to, secondClock.read()),
  )
  return <time dateTime={`PT${seconds}S`}>{new Intl.NumberFormat(locale).format(seconds)} s</time>
}

/** What is over does not change. */
const never = () => () => {}
