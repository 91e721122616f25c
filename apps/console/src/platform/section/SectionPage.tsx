import { Outlet } from 'react-router'
import { usePageTitle } from '../page-title.ts'
import { SectionNavigation, type SectionPlace } from './SectionNavigation.tsx'
import styles from './SectionPage.module.css'

interface SectionPageProps {
  title: string
  places: readonly SectionPlace[]
  /** Pages that need all the room there is. */
  wide?: boolean
}

/** Pages that belong together, one at a time, with their navigation beside them. */
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
