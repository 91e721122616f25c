import styles from './edges.module.css'
import { texts } from './edges.texts.ts'

interface MeterProps {
  /** What is measured, for screen readers: "Disk of Hall 3". */
  label: string
  /** 0 to 1; a load may be above. Null when nobody knows. */
  share: number | null
  /** What it is in words, beside the bar. */
  text?: string
}

const busy = 0.75
const full = 0.9

/** How much of something is used: a bar, and the number itself. */
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
        data-level={share >= full ? 'full' : share >= busy ? 'busy' : 'calm'}
      >
        <span className={styles.filled} style={{ inlineSize: `${shown * 100}%` }} />
      </span>
      <span className={styles.meterText}>{words}</span>
    </span>
  )
}
