import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'

export interface PageHeaderProps {
  title: ReactNode
  description?: ReactNode
  /** Buttons at the end; the primary one last. */
  actions?: ReactNode
  /** 2 for a part of a page that has a title already, such as a record in an app; 1 by default. */
  level?: 1 | 2 | undefined
}

/** The page's heading and what can be done on the whole page. After a navigation the focus goes to it. */
export function PageHeader({ title, description, actions, level = 1 }: PageHeaderProps) {
  const Heading = `h${level}` as const
  return (
    <header className={styles.header}>
      <div className={styles.texts}>
        <Heading data-page-heading>{title}</Heading>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
