import type { ReactNode } from 'react'
import styles from './edges.module.css'

/** One line of what is known. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
