import type { PageActionsProps } from '@pult/sdk'
import { useAppHost } from '@pult/sdk/host'
import { IconButton, Menu, MenuItem, MenuTrigger } from '@pult/ui'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import { useStore } from '#platform/use-store.ts'
import { AppIcon } from './AppIcon.tsx'
import { appActions, runAppAction } from './actions.ts'
import { texts } from './extensions.texts.ts'
import { apps } from './registry.ts'

/** A menu of the actions that other apps offer for a record. The app of the page shows its own actions itself. */
export function PageActions({ kind, record }: PageActionsProps) {
  const { app: own } = useAppHost()
  // The apps of the user change while the page is open.
  useStore(apps)
  const offered = appActions().filter(({ app, action }) => app.manifest.id !== own.id && action.on === kind)
  if (offered.length === 0) return null
  return (
    <MenuTrigger>
      <IconButton label={texts.actionsFor(record.label)} icon={<EllipsisVertical aria-hidden="true" />} />
      <Menu placement="bottom end">
        {offered.map(({ app, action }) => (
          <MenuItem
            key={`${app.manifest.id} ${action.id}`}
            icon={<AppIcon app={app} />}
            onAction={() => void runAppAction({ app, action }, record)}
          >
            {action.label}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  )
}
