import type { ReactNode } from 'react'
import { MenuSection as AriaMenuSection, Header } from 'react-aria-components/Menu'
import styles from './MenuSection.module.css'

/** Groups items of a {@link Menu} under a heading. */
export function MenuSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <AriaMenuSection className={styles.section ?? ''}>
      <Header className={styles.title}>{title}</Header>
      {children}
    </AriaMenuSection>
  )
}
