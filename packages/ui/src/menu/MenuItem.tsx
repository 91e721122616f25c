import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { MenuItem as AriaMenuItem, type MenuItemProps as AriaMenuItemProps } from 'react-aria-components/Menu'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './MenuItem.module.css'

export interface MenuItemProps {
  /** Required in a menu with `selectionMode`. */
  id?: string | undefined
  children: ReactNode
  /** Text that typed letters match. Required if the children are not plain text. */
  textValue?: string | undefined
  /** From `lucide-react/icons/…`. */
  icon?: ReactNode
  /** A second, quieter line. */
  detail?: ReactNode
  shortcut?: Shortcut | undefined
  tone?: 'danger' | undefined
  disabled?: boolean | undefined
  /** The target, opened through `navigate` of `UiProvider`, or the action. */
  href?: string | undefined
  external?: boolean | undefined
  onAction?: (() => void) | undefined
}

/** Renders one choice of a {@link Menu}. */
export function MenuItem({
  children,
  textValue,
  icon,
  detail,
  shortcut,
  tone,
  external,
  ...rest
}: MenuItemProps) {
  return (
    <AriaMenuItem
      className={styles.item ?? ''}
      textValue={textValue ?? (typeof children === 'string' ? children : '')}
      data-tone={tone}
      {...ariaProps(rest, external)}
    >
      {({ selectionMode, isSelected }) => (
        <>
          {icon}
          <span className={styles.texts}>
            <span className={styles.label}>{children}</span>
            {detail !== undefined && <span className={styles.detail}>{detail}</span>}
          </span>
          {shortcut !== undefined && (
            <span className={styles.shortcut}>
              <Kbd keys={shortcut} />
            </span>
          )}
          {selectionMode !== 'none' && (
            <Check className={styles.check} data-shown={isSelected || undefined} />
          )}
        </>
      )}
    </AriaMenuItem>
  )
}

type Behaviour = Pick<MenuItemProps, 'id' | 'disabled' | 'href' | 'onAction'>

// React Aria distinguishes an absent property from an undefined one.
function ariaProps(
  { id, disabled, href, onAction }: Behaviour,
  external = false,
): Partial<AriaMenuItemProps> {
  return {
    ...(id !== undefined && { id }),
    ...(disabled !== undefined && { isDisabled: disabled }),
    ...(href !== undefined && { href }),
    ...(external && { target: '_blank', rel: 'noreferrer' }),
    ...(onAction && { onAction }),
  }
}
