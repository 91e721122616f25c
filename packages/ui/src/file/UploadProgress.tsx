import { type ReactNode, useId } from 'react'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './UploadProgress.module.css'

export interface UploadProgressProps {
  /** The current activity: "Uploading stand.png". */
  label: string
  /** 0 to 100; null if the duration is unknown. */
  percent: number | null
  /** Text beside the percentage: "File 2 of 5". */
  note?: ReactNode
  /** Text below the bar, which may change often: "12 MB of 80 MB · 2.4 MB/s · 30 s left". Without it, no line is shown. */
  details?: string
  /** Announced to screen readers when it changes. @default label */
  announcement?: string
  /** A button that cancels the work. */
  action?: ReactNode
}

/** Shows the progress of an upload or of other work that takes some time. */
export function UploadProgress({
  label,
  percent,
  note,
  details,
  announcement = label,
  action,
}: UploadProgressProps) {
  const id = useId()
  return (
    <div className={styles.progress}>
      <div className={styles.line}>
        <span id={id} className={styles.label}>
          {label}
        </span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <span className={styles.percent}>{percent === null ? '' : `${percent} %`}</span>
      </div>
      <div className={styles.line}>
        <progress
          className={styles.bar}
          aria-labelledby={id}
          max={100}
          {...(percent !== null && { value: percent })}
        />
        {action}
      </div>
      {details !== undefined && <span className={styles.details}>{details}</span>}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </div>
  )
}
