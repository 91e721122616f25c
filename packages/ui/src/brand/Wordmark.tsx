import { BrandMark } from './BrandMark.tsx'
import styles from './Wordmark.module.css'

/** Shows the mark with the name beside it, as wide as its content. `size` is the mark's edge in pixels. */
export function Wordmark({ size = 24, variant = 'tile' }: { size?: number; variant?: 'tile' | 'plain' }) {
  return (
    <span className={styles.wordmark} style={{ fontSize: size * 0.75 }}>
      <BrandMark size={size} variant={variant} />
      Pult
    </span>
  )
}
