import { formatBytes } from '@pult/sdk/ui'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { useValuesGrowth } from './values.queries.ts'

/** The size of the project's values and the effect of their quota in one line. Renders nothing without values. */
export function ValuesSize() {
  const { data } = useValuesGrowth()
  if (data === undefined || data.used === 0) return null
  const { used, quota, fullIn, parts } = data
  const size = texts.valuesSize(formatBytes(used), formatBytes(quota))
  const shortened = parts.filter(({ days, kept }) => kept < days)
  const effect =
    fullIn === null || shortened.length === 0
      ? []
      : [
          texts.quotaReached(fullIn),
          texts.keptShorter(shortened.map(({ part, days, kept }) => texts.keptOf[part](kept, days))),
        ]
  return <p className={styles.quiet}>{[size, ...effect].join(' ')}</p>
}
