import { classNames } from '../class-names.ts'
import styles from './StateBar.module.css'
import { StatusShape } from './StatusShape.tsx'
import type { Status } from './status.ts'

export interface StateBarPart {
  status: Status
  /** Number of things in this state; parts of 0 are omitted. */
  count: number
  /** The word after the count: "online". */
  label: string
}

export interface StateBarProps {
  parts: readonly StateBarPart[]
  /** Shows the counts below the bar; true by default. Without them the bar's accessible name contains them. */
  legend?: boolean | undefined
  className?: string | undefined
}

/** Shows the number of things in each state as one bar with counts. */
export function StateBar({ parts, legend = true, className }: StateBarProps) {
  const present = parts.filter(({ count }) => count > 0)
  const text = present.map(({ count, label }) => `${count} ${label}`).join(', ')
  return (
    <div className={classNames(styles.states, className)}>
      <div
        className={styles.bar}
        {...(legend ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text })}
      >
        {present.map(({ status, count, label }) => (
          <span key={label} className={styles.part} data-status={status} style={{ flexGrow: count }} />
        ))}
      </div>
      {legend && (
        <ul className={styles.legend}>
          {present.map(({ status, count, label }) => (
            <li key={label} className={styles.count}>
              <StatusShape status={status} />
              <span>
                <strong>{count}</strong> {label}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
