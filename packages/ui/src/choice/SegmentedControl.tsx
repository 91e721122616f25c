import { type ReactNode, useId } from 'react'
import styles from './SegmentedControl.module.css'

export interface Segment<Value extends string> {
  value: Value
  label: ReactNode
  icon?: ReactNode
}

export interface SegmentedControlProps<Value extends string> {
  /** Accessible name of the control; not visible. */
  label: string
  segments: readonly Segment<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  /** Fills the width, with segments of equal size. */
  wide?: boolean | undefined
}

/** Offers one choice out of two to five short options, side by side in one frame. The arrow keys move between them. */
export function SegmentedControl<Value extends string>({
  label,
  segments,
  value,
  onChange,
  wide = false,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.control} data-wide={wide || undefined} aria-label={label}>
      {segments.map((segment) => (
        <label key={segment.value} className={styles.segment}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.icon}
          {segment.label}
        </label>
      ))}
    </fieldset>
  )
}
