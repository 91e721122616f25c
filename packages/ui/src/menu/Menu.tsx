import { useEffect, useRef } from 'react'
import { Menu as AriaMenu, type MenuProps as AriaMenuProps, Popover } from 'react-aria-components/Menu'
import { BackCloses } from '../dialog/BackCloses.tsx'
import styles from './Menu.module.css'

export interface MenuProps
  extends Pick<
    AriaMenuProps<object>,
    'children' | 'selectionMode' | 'selectedKeys' | 'onSelectionChange' | 'disallowEmptySelection'
  > {
  /** Accessible name of the menu; by default that of the trigger. */
  label?: string | undefined
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | undefined
  /** Target of the focus on opening: by default the first item for a keyboard, the list for a pointer. */
  autoFocus?: 'first' | undefined
}

/**
 * Renders the floating list of a {@link MenuTrigger}. Contains MenuItem, MenuSection and MenuSeparator. With
 * `selectionMode`, items can be chosen by their `id` and show a check.
 */
export function Menu({ placement = 'bottom start', ...list }: MenuProps) {
  return (
    <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
      <BackCloses />
      <MenuList {...list} />
    </Popover>
  )
}

function MenuList({ label, autoFocus, ...rest }: Omit<MenuProps, 'placement'>) {
  const list = useRef<HTMLDivElement>(null)

  // After a click without a pointer (Enter, Space, screen readers) React Aria moves the focus only after all
  // transitions. Until then the button is inert and the focus is lost.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { current } = list
      if (current === null || current.contains(document.activeElement)) return
      const start = current.querySelector<HTMLElement>('[tabindex="0"]') ?? current
      start.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  return (
    <AriaMenu
      ref={list}
      className={styles.menu ?? ''}
      {...(label !== undefined && { 'aria-label': label })}
      {...(autoFocus !== undefined && { autoFocus })}
      {...rest}
    />
  )
}
