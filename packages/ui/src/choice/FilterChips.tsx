import { StatusShape } from '../status/StatusShape.tsx'
import type { Status } from '../status/status.ts'
import styles from './FilterChips.module.css'

export interface FilterChip<Value extends string> {
  value: Value
  label: string
  /** Number of records that match; undefined until it is known. */
  count?: number | undefined
  /** Set if more records match than `count`. */
  isCapped?: boolean | undefined
  /** The shape before the label. */
  status?: Status | undefined
}

export interface FilterChipsProps<Value extends string> {
  /** Accessible name of the group: "State". */
  label: string
  chips: readonly FilterChip<Value>[]
  /** Id of the pressed chip; null without a filter. */
  value: Value | null
  /** Called with null after a second press on the pressed chip. */
  onChange: (value: Value | null) => void
}

/** Shows the filters of a list with their counts. A chip without records appears only while it is pressed. */
export function FilterChips<Value extends string>({
  label,
  chips,
  value,
  onChange,
}: FilterChipsProps<Value>) {
  return (
    <div className={styles.chips} role="group" aria-label={label}>
      {chips
        .filter((chip) => chip.count !== 0 || chip.value === value)
        .map((chip) => (
          <button
            key={chip.value}
            type="button"
            className={styles.chip}
            aria-pressed={chip.value === value}
            onClick={() => onChange(chip.value === value ? null : chip.value)}
          >
            {chip.status !== undefined && <StatusShape status={chip.status} />}
            {chip.label}
            {chip.count !== undefined && (
              <span className={styles.count}>
                {chip.count.toLocaleString(document.documentElement.lang)}
                {chip.isCapped === true && '+'}
              </span>
            )}
          </button>
        ))}
    </div>
  )
}
