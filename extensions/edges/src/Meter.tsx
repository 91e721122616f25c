import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { busyFrom, fullFrom } from './measures.ts'

interface MeterProps {
  /** Accessible name: "Disk of Hall 3". */
  label: string
  /** 0 to 1; a load may exceed 1. Null when unknown. */
  share: number | null
  /** The value as text beside the bar. */
  text?: string
}

/** Shows a used share as a bar and a number. */
export function Meter({ label, share, text }: MeterProps) {
  if (share === null) return null
  const shown = Math.min(1, Math.max(0, share))
  const words = text ?? texts.share(share)
  return (
    <span className={styles.meter}>
      <span
        className={styles.bar}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(shown * 100)}
        aria-valuetext={words}
        data-level={share >= fullFrom ? 'full' : share >= busyFrom ? 'busy' : 'calm'}
      >
        <span className={styles.filled} style={{ inlineSize: `${shown * 100}%` }} />
      </span>
      <span className={styles.meterText}>{words}</span>
    </span>
  )
}
