import styles from './condition.module.css'

export interface BarPart {
  /** Selects the colour. */
  part: '1' | '2' | 'risk' | 'free'
  value: number
  /** With its value: "Passkey 96". */
  label: string
}

/** The shares of a whole as one bar with its legend. Parts of 0 are omitted. */
export function PartsBar({ parts }: { parts: readonly BarPart[] }) {
  const present = parts.filter(({ value }) => value > 0)
  if (present.length === 0) return null
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {present.map(({ part, value }) => (
          <span key={part} data-part={part} style={{ flexGrow: value }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {present.map(({ part, label }) => (
          <li key={part}>
            <span data-part={part} aria-hidden="true" />
            {label}
          </li>
        ))}
      </ul>
    </>
  )
}
