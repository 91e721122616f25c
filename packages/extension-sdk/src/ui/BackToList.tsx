import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { AppLink } from '../routing.tsx'
import styles from './BackToList.module.css'

interface BackToListProps {
  children: ReactNode
  /** The list's path within the app; the app's own page when left out. */
  to?: string
}

/**
 * Leads from the page of a record back to the first page of the app, its list.
 *
 * @example <BackToList>All cues</BackToList>
 */
export function BackToList({ children, to = '' }: BackToListProps) {
  return (
    <AppLink to={to} className={styles.back ?? ''}>
      <ArrowLeft aria-hidden="true" /> {children}
    </AppLink>
  )
}
