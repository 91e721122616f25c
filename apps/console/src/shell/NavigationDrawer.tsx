import { IconButton } from '@pult/ui'
import MenuIcon from 'lucide-react/icons/menu'
import { type ComponentType, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { texts } from './shell.texts.ts'

const load = async () => (await import('./Drawer.tsx')).Drawer

/**
 * The navigation of a screen that has no room for it beside the page: a button, and what it slides in, which is loaded
 * when somebody reaches for it.
 */
export function NavigationDrawer() {
  const [Drawer, setDrawer] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  const open = () => {
    load().then(
      (loaded) => setDrawer(() => loaded),
      (error: unknown) => notify.error(texts.menuFailed, error),
    )
  }
  return (
    <>
      <IconButton
        label={texts.openNavigation}
        icon={<MenuIcon aria-hidden="true" />}
        aria-haspopup="dialog"
        aria-expanded={Drawer !== null}
        onPointerEnter={() => void load().catch(() => {})}
        onClick={open}
      />
      {Drawer && <Drawer onClose={() => setDrawer(null)} />}
    </>
  )
}
