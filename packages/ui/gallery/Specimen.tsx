import type { ReactNode } from 'react'
import styles from './Gallery.module.css'

/** A titled group of the gallery. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group} id={title.toLowerCase()}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** One specimen with its caption. */
export function Specimen({
  caption,
  column,
  children,
}: {
  caption: string
  column?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.specimen}>
      <div className={styles.caption}>{caption}</div>
      <div className={column ? styles.column : styles.row} data-specimen={caption}>
        {children}
      </div>
    </div>
  )
}
