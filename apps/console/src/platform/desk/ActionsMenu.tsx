import { IconButton } from '@pult/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ComponentType, type ReactNode, useState } from 'react'

interface MenuAction {
  label: string
  icon?: ReactNode
  /** Its target, or its action. */
  href?: string
  act?: () => void
}

export interface ActionsMenuProps {
  label: string
  actions: readonly MenuAction[]
}

const load = () => import('./OpenedActionsMenu.tsx')

/** A button with a menu of actions. The code of menus is large, so it loads when the first menu opens. */
export function ActionsMenu(props: ActionsMenuProps) {
  const [Opened, setOpened] = useState<ComponentType<ActionsMenuProps> | null>(null)
  if (Opened !== null) return <Opened {...props} />
  return (
    <IconButton
      label={props.label}
      icon={<Ellipsis aria-hidden="true" />}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onClick={() => void load().then(({ OpenedActionsMenu }) => setOpened(() => OpenedActionsMenu))}
    />
  )
}
