import type { ComponentProps, ReactElement } from 'react'
import { MenuTrigger as AriaMenuTrigger, Pressable } from 'react-aria-components/Menu'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'

export interface MenuTriggerProps {
  /** The button that opens the menu (Button, IconButton, or a native button), then the {@link Menu}. */
  children: [trigger: ComponentProps<typeof Pressable>['children'], menu: ReactElement]
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

/**
 * Connects a button with its menu. The menu opens on press, Enter, Space and the arrow keys. It closes on Esc, on
 * the way back of a phone, on a press outside and after a choice, and returns the focus to the button.
 *
 * @example
 * <MenuTrigger>
 *   <Button>Apps</Button>
 *   <Menu label="Apps"><MenuItem href="/app/reports">Reports</MenuItem></Menu>
 * </MenuTrigger>
 */
export function MenuTrigger({ children: [trigger, menu], open, onOpenChange }: MenuTriggerProps) {
  return (
    <AriaEnvironment>
      <AriaMenuTrigger {...(open !== undefined && { isOpen: open })} {...(onOpenChange && { onOpenChange })}>
        <Pressable>{trigger}</Pressable>
        {menu}
      </AriaMenuTrigger>
    </AriaEnvironment>
  )
}
