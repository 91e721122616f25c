import { Outlet } from 'react-router'
import { usePageTitle } from '../page-title.ts'
import { SectionNavigation } from './SectionNavigation.tsx'
import styles from './SectionPage.module.css'
import type { SectionPlace } from './section-place.ts'

interface SectionPageProps {
  title: string
  places: readonly SectionPlace[]
  /** Uses the full width. */
  wide?: boolean
}

/** Related pages, one at a time, with their navigation beside them. */
export function SectionPage({ title, places, wide = false }: SectionPageProps) {
  usePageTitle(title)
  return (
    <div className={styles.section}>
      <SectionNavigation label={title} places={places} />
      <div className={styles.page} data-wide={wide || undefined}>
        <Outlet />
      </div>
    </div>
  )
}
