import { useEffect } from 'react'
import { NavLink, useLocation } from 'react-router'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import styles from './AppTabs.module.css'
import { texts } from './extensions.texts.ts'
import type { Tab } from './registry.ts'

interface AppTabsProps {
  label: string
  tabs: readonly Tab[]
  basePath: string
}

/** The tabs of an app. Each has its own URL, so they are links. */
export function AppTabs({ label, tabs, basePath }: AppTabsProps) {
  const strip = useArrowKeys<HTMLElement>()
  const { pathname } = useLocation()
  // On a narrow screen the open tab may be scrolled out of view.
  useEffect(() => {
    const { current } = strip
    const open = current?.querySelector<HTMLElement>('[aria-current]')
    if (!current || !open || pathname === '') return
    const [inside, around] = [open.getBoundingClientRect(), current.getBoundingClientRect()]
    current.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2
  }, [pathname, strip])
  return (
    <nav className={styles.tabs} ref={strip} aria-label={texts.tabs(label)}>
      {tabs.map((tab) => (
        <NavLink key={tab.id} className={styles.tab ?? ''} to={`${basePath}/${tab.id}`} {...arrowStop}>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  )
}
