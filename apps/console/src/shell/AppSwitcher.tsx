import { Button } from '@pult/ui'
import ChevronDown from 'lucide-react/icons/chevron-down'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import type { ComponentProps } from 'react'
import { Dropdown } from './Dropdown.tsx'
import styles from './Header.module.css'
import { texts } from './shell.texts.ts'

const load = async () => (await import('./AppChoice.tsx')).AppChoice

/** Opens an app of the active project from any page. */
export function AppSwitcher() {
  return <Dropdown layer="apps" button={AppsButton} load={load} />
}

function AppsButton(attributes: ComponentProps<'button'>) {
  return (
    <Button {...attributes} variant="ghost" icon={<LayoutGrid aria-hidden="true" />}>
      {texts.apps}
      <ChevronDown aria-hidden="true" className={styles.chevron} />
    </Button>
  )
}
