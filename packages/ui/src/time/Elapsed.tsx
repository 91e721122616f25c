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
 * The time since an instant in one unit, for narrow places: `12 s`, `41 min`, `33 h`, from two days on `2 d`. The exact
 * time appears under the pointer.
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
