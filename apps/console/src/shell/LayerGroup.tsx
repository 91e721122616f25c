import { type ReactNode, useId } from 'react'
import styles from './LayerGroup.module.css'

/** Entries of a layer below a heading. */
export function LayerGroup({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
      <p id={id} className={styles.title}>
        {title}
      </p>
      <ul>{children}</ul>
    </div>
  )
}
