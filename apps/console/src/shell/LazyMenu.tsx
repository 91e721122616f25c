import { type ComponentProps, type ComponentType, type KeyboardEvent, useState } from 'react'
import { notify } from '#platform/notify.ts'
import { texts } from './shell.texts.ts'

/** The Button or IconButton of a menu; it hands on all that it is given. */
export type MenuButton = ComponentType<ComponentProps<'button'>>

export interface LoadedMenuProps {
  button: MenuButton
  /** Whoever opens it by the keyboard goes on with the keyboard. */
  autoFocus: 'first' | undefined
}

/** A menu with its button, which opens as soon as it is there. */
export type LoadedMenu = ComponentType<LoadedMenuProps>

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
  const [loaded, setLoaded] = useState<{ Menu: LoadedMenu; byKeyboard: boolean } | null>(null)
  if (loaded) {
    return <loaded.Menu button={MenuButton} autoFocus={loaded.byKeyboard ? 'first' : undefined} />
  }

  const prepare = () => void load().catch(() => {})
  const open = (byKeyboard: boolean) => {
    load().then(
      (Menu) => setLoaded({ Menu, byKeyboard }),
      (error: unknown) => notify.error(texts.menuFailed, error),
    )
  }
  // As the menu's own button does. The click that Enter makes of itself would count as one of a screen reader, for which
  // the focus moves later, and not at all when something else has moved it meanwhile.
  const openByKey = (event: KeyboardEvent) => {
    if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return
    event.preventDefault()
    if (!event.repeat) open(true)
  }
  return (
    <MenuButton
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      // A click that counts none comes from a key.
      onClick={({ detail }) => open(detail === 0)}
      onKeyDown={openByKey}
    />
  )
}
