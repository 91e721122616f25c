import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { AppLink } from '../routing.tsx'
import styles from './BackToList.module.css'

interface BackToListProps {
  children: ReactNode
  /** Path of the list within the app. By default it is the app's first page. */
  to?: string
}

/**
 * Links the page of a record back to its list.
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
