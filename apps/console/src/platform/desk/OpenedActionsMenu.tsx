import { IconButton, Menu, MenuItem, MenuTrigger } from '@pult/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import type { ActionsMenuProps } from './ActionsMenu.tsx'

/** The actions menu, initially open, because the user has pressed the button that it replaces. */
export function OpenedActionsMenu({ label, actions }: ActionsMenuProps) {
  const [open, setOpen] = useState(true)
  return (
    <MenuTrigger open={open} onOpenChange={setOpen}>
      <IconButton label={label} icon={<Ellipsis aria-hidden="true" />} />
      <Menu label={label} placement="bottom end">
        {actions.map(({ label: name, icon, href, act }) => (
          <MenuItem key={name} icon={icon} href={href} onAction={act}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  )
}
