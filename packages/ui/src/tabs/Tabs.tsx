import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import styles from './Tabs.module.css'

export interface TabItem<Id extends string = string> {
  id: Id
  title: ReactNode
  /** From `lucide-react/icons/…`. */
  icon?: ReactNode
  /** A number after the title. Omit it while it is unknown. */
  count?: number | undefined
  /** Address of the tab, which makes the tab a link. */
  href?: string | undefined
}

export interface TabsProps<Id extends string> {
  /** Accessible name of the list of tabs. */
  label: string
  items: readonly TabItem<Id>[]
  selected: Id
  /** Not needed if every tab has an address. */
  onSelect?: ((id: Id) => void) | undefined
  /** The content of the selected tab. */
  children: ReactNode
}

/** Shows one of several views. The arrow keys move between tabs. If the tabs do not fit, their list scrolls. */
export function Tabs<Id extends string>({ label, items, selected, onSelect, children }: TabsProps<Id>) {
  return (
    <AriaEnvironment>
      <AriaTabs
        className={styles.tabs ?? ''}
        selectedKey={selected}
        onSelectionChange={(key) => {
          const item = items.find(({ id }) => id === key)
          if (item !== undefined && item.id !== selected) onSelect?.(item.id)
        }}
      >
        <TabList className={styles.list ?? ''} aria-label={label}>
          {items.map(({ id, title, icon, count, href }) => (
            <Tab key={id} id={id} className={styles.tab ?? ''} {...(href !== undefined && { href })}>
              {icon}
              {title}
              {count !== undefined && <span className={styles.count}>{count}</span>}
            </Tab>
          ))}
        </TabList>
        <TabPanel id={selected} className={styles.panel ?? ''}>
          {children}
        </TabPanel>
      </AriaTabs>
    </AriaEnvironment>
  )
}
