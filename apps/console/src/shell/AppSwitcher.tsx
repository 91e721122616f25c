import { Button } from '@pult/ui'
import ChevronDown from 'lucide-react/icons/chevron-down'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import type { ComponentProps } from 'react'
import styles from './AppSwitcher.module.css'
import { LazyMenu } from './LazyMenu.tsx'
import { texts } from './shell.texts.ts'

const loadItems = async () => (await import('./AppSwitcherItems.tsx')).AppSwitcherItems

/** Goes to an app of the active project from anywhere. */
export function AppSwitcher() {
  return <LazyMenu load={loadItems} button={AppsButton} />
}

function AppsButton(attributes: ComponentProps<'button'>) {
  return (
    <Button
      {...attributes}
      variant="ghost"
      icon={<LayoutGrid aria-hidden="true" />}
      className={styles.button}
    >
      <span className={styles.label}>{texts.apps}</span>
      <ChevronDown aria-hidden="true" className={styles.chevron} />
    </Button>
  )
}
