import { NavLink } from 'react-router'
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
