import { NavItem } from '@pult/ui'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import styles from './SectionNavigation.module.css'
import type { SectionPlace } from './section-place.ts'

interface SectionNavigationProps {
  /** The section's path, which also opens its first page. */
  path: string
  label: string
  places: readonly SectionPlace[]
}

/** The pages of a section: a column beside the page, or a strip above it on narrow screens. */
export function SectionNavigation({ path: ofSection, label, places }: SectionNavigationProps) {
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)

  // In the strip the current page may be scrolled out of view.
  useEffect(() => {
    const strip = list.current
    const current = strip?.querySelector('[aria-current]')
    if (!strip || !current || pathname === '') return
    // Immediately, and again after a rotation of the screen.
    const observer = new ResizeObserver(() => {
      const [inside, around] = [current.getBoundingClientRect(), strip.getBoundingClientRect()]
      strip.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2
    })
    observer.observe(strip)
    return () => observer.disconnect()
  }, [pathname])

  return (
    <nav className={styles.navigation} aria-label={label}>
      <ul ref={list} className={styles.places}>
        {places.map(({ path, label: name, icon }, index) => (
          <NavItem
            key={path}
            href={path}
            current={path === pathname || (index === 0 && ofSection === pathname)}
            icon={icon}
          >
            {name}
          </NavItem>
        ))}
      </ul>
    </nav>
  )
}
