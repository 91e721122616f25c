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

/** The parts of an app. Each has an address of its own, so these are links. */
export function AppTabs({ label, tabs, basePath }: AppTabsProps) {
  const strip = useArrowKeys<HTMLElement>()
  const { pathname } = useLocation()
  // On a narrow screen the tab that is open may be out of sight.
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
