import styles from './BrandMark.module.css'

export interface BrandMarkProps {
  /** Edge length in pixels, 16 to 64; 24 by default. */
  size?: number | undefined
  /** `tile` has the brand's colours, `plain` the colour of the surrounding text. */
  variant?: 'tile' | 'plain' | undefined
  /** Accessible name: "Pult" if no wordmark is beside the mark. Without a label, screen readers skip the mark. */
  label?: string | undefined
}

/**
 * Shows the brand's mark. Pult is German for a control desk: the mark is a P whose bowl is a dial with a pointer, on
 * the slope of a desk. `favicon.svg` and `maskable-icon.svg` beside this file are the same drawing for browsers and
 * launchers.
 */
export function BrandMark({ size = 24, variant = 'tile', label }: BrandMarkProps) {
  const naming = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg className={styles[variant]} width={size} height={size} viewBox="0 0 32 32" {...naming}>
      {variant === 'tile' && <rect width="32" height="32" rx="8" />}
      <path
        className={styles.letter}
        fillRule="evenodd"
        d="M7.8 25.6v-18A1.6 1.6 0 0 1 9.4 6H17a7.2 7.2 0 0 1 0 14.4h-4.4v4.2zm9.99-11.21 3.8-3.8a1.4 1.4 0 0 0-1.98-1.98l-3.8 3.8a1.4 1.4 0 0 0 1.98 1.98z"
      />
      <path className={styles.desk} d="m16 25.4 8.4-1.8" />
    </svg>
  )
}
