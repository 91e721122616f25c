import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Card.module.css'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  /** A heading inside the card, with the card's own actions beside it. */
  title?: ReactNode
  actions?: ReactNode
  /** The heading's level within the page; 2 by default. */
  level?: 1 | 2 | 3 | undefined
  /** Content runs to the edge, for tables and lists. */
  flush?: boolean | undefined
}

/** Groups related content on a surface. */
export function Card({ title, actions, level = 2, flush = false, className, children, ...rest }: CardProps) {
  const Heading = `h${level}` as const
  return (
    <section className={classNames(styles.card, className)} data-flush={flush || undefined} {...rest}>
      {title !== undefined && (
        <header className={styles.header}>
          <Heading className={styles.title}>{title}</Heading>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}
