import styles from './Progress.module.css'

export interface ProgressProps {
  /** Percentage from 0 to 100; null while it is unknown. */
  value: number | null
  /** Accessible name: the running work. */
  label: string
}

/** Shows the progress of running work as a thin bar. */
export function Progress({ value, label }: ProgressProps) {
  const percent = value === null ? null : Math.max(0, Math.min(100, Math.round(value)))
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== null && { 'aria-valuenow': percent })}
    >
      <div
        className={styles.bar}
        data-unknown={percent === null || undefined}
        style={percent === null ? undefined : { inlineSize: `${percent}%` }}
      />
    </div>
  )
}
