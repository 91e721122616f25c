import type { ReactNode } from 'react'
import styles from './NavList.module.css'

/** Renders a column of {@link NavItem}s as a navigation landmark with the given name. */
export function NavList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label}>
      <ul className={styles.list}>{children}</ul>
    </nav>
  )
}
