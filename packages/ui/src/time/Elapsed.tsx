import { useSyncExternalStore } from 'react'
import { useUiEnvironment } from '../provider/UiProvider.tsx'
import { formatExactly } from './format-instant.ts'
import { inOneUnit } from './one-unit.ts'
import { secondClock } from './second-clock.ts'

export interface ElapsedProps {
  /** ISO 8601. */
  since: string
}

/**
 * Shows the time since an instant in one unit, for narrow places: `12 s`, `41 min`, `33 h`, from two days `2 d`. The
 * tooltip shows the exact time.
 */
export function Elapsed({ since }: ElapsedProps) {
  const { locale = 'de' } = useUiEnvironment()
  const text = useSyncExternalStore(secondClock.subscribe, () =>
    inOneUnit(Math.max(0, secondClock.read() - Date.parse(since))),
  )
  return (
    <time dateTime={since} title={formatExactly(since, locale)}>
      {text}
    </time>
  )
}
