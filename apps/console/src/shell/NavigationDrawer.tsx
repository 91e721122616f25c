import { IconButton } from '@pult/ui'
import MenuIcon from 'lucide-react/icons/menu'
import { type ComponentType, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { texts } from './shell.texts.ts'

const load = async () => (await import('./Drawer.tsx')).Drawer

interface NavigationDrawerProps {
  /** Shown below the icon. */
  caption?: string
  className?: string | undefined
}

/** The navigation of narrow screens: a button and a drawer that loads on hover of the button. */
export function NavigationDrawer({ caption, className }: NavigationDrawerProps) {
  const [Drawer, setDrawer] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  const open = () => {
    load().then(
      (loaded) => setDrawer(() => loaded),
      (error: unknown) => notify.error(texts.menuFailed, error),
    )
  }
  const attributes = {
    'aria-haspopup': 'dialog',
    'aria-expanded': Drawer !== null,
    onPointerEnter: () => void load().catch(() => {}),
    onClick: open,
  } as const
  const icon = <MenuIcon aria-hidden="true" />
  return (
    <>
      {caption === undefined ? (
        <IconButton label={texts.openNavigation} icon={icon} {...attributes} />
      ) : (
        <button type="button" className={className} {...attributes}>
          {icon}
          {caption}
        </button>
      )}
      {Drawer && <Drawer onClose={() => setDrawer(null)} />}
    </>
  )
}
