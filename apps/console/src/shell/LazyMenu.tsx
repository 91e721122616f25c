import { type ComponentProps, type ComponentType, type KeyboardEvent, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { texts } from './shell.texts.ts'

/** The Button or IconButton of a menu; it hands on all that it is given. */
export type MenuButton = ComponentType<ComponentProps<'button'>>

/** A menu with its button, which opens as soon as it is there. */
export type LoadedMenu = ComponentType<{ button: MenuButton }>

interface LazyMenuProps {
  /** Loads the menu; asked again it answers at once. */
  load: () => Promise<LoadedMenu>
  button: MenuButton
}

/**
 * A button whose menu is loaded when somebody reaches for it. Most visits of the console open no menu, and menus would
 * be a sixth of what its frame loads.
 */
export function LazyMenu({ load, button: MenuButton }: LazyMenuProps) {
  const [Menu, setMenu] = useState<LoadedMenu | null>(null)
  if (Menu) return <Menu button={MenuButton} />

  const prepare = () => void load().catch(() => {})
  const open = () => {
    load().then(
      (loaded) => setMenu(() => loaded),
      (error: unknown) => notify.error(texts.menuFailed, error),
    )
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }
  return (
    <MenuButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
      onKeyDown={openByArrow}
    />
  )
}
