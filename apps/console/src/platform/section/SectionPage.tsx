import { Outlet, useLocation } from 'react-router'
import { usePageTitle } from '../page-title.ts'
import { SectionNavigation } from './SectionNavigation.tsx'
import styles from './SectionPage.module.css'
import type { SectionPlace } from './section-place.ts'

export interface SectionPageProps {
  /** The section's path, which also opens its first page. */
  path: string
  title: string
  places: readonly SectionPlace[]
}

/** Related pages, one at a time, with their navigation beside them. */
export function SectionPage({ path, title, places }: SectionPageProps) {
  usePageTitle(title)
  const { pathname } = useLocation()
  const { width } = places.find((place) => place.path === pathname) ?? {}
  return (
    <div className={styles.section}>
      <SectionNavigation {...{ path, places }} label={title} />
      <div className={styles.page} data-width={width}>
        <Outlet />
      </div>
    </div>
  )
}
