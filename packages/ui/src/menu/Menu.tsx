import { Menu as AriaMenu, type MenuProps as AriaMenuProps, Popover } from 'react-aria-components/Menu'
import styles from './Menu.module.css'

export interface MenuProps
  extends Pick<
    AriaMenuProps<object>,
    'children' | 'selectionMode' | 'selectedKeys' | 'onSelectionChange' | 'disallowEmptySelection'
  > {
  /** Names the menu; without it the trigger does. */
  label?: string | undefined
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | undefined
  /** What takes the focus on opening. By default the first item for a keyboard, the list for a pointer. */
  autoFocus?: 'first' | undefined
}

/**
 * The floating list of a {@link MenuTrigger}. Holds MenuItem, MenuSection and MenuSeparator; with `selectionMode` its
 * items (by their `id`) can be chosen and show a check.
 */
export function Menu({ label, placement = 'bottom start', autoFocus, ...rest }: MenuProps) {
  return (
    <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
      <AriaMenu
        className={styles.menu ?? ''}
        {...(label !== undefined && { 'aria-label': label })}
        {...(autoFocus !== undefined && { autoFocus })}
        {...rest}
      />
    </Popover>
  )
}
