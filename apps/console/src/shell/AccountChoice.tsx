import { Popover } from '@pult/ui'
import LogOut from 'lucide-react/icons/log-out'
import { useCredentials } from '#platform/use-credentials.ts'
import { account, settings } from '../pages/pages.tsx'
import type { DropdownContentProps } from './Dropdown.tsx'
import { Entry } from './Entry.tsx'
import { LayerEntries } from './LayerEntries.tsx'
import { LayerGroup } from './LayerGroup.tsx'
import { logOut } from './log-out.ts'
import { texts } from './shell.texts.ts'

/** The entries of the account. */
export function AccountChoice({ anchor, open, onClose }: DropdownContentProps) {
  const { email } = useCredentials()
  const leave = () => {
    onClose()
    void logOut()
  }
  return (
    <Popover anchor={anchor} open={open} onClose={onClose} label={texts.account}>
      <LayerEntries>
        <LayerGroup title={email}>
          {[account, settings].map(({ path, entry }) => (
            <Entry key={path} href={entry.href} icon={entry.icon} onOpen={onClose}>
              {entry.label}
            </Entry>
          ))}
          <Entry icon={<LogOut />} onOpen={leave}>
            {texts.logout}
          </Entry>
        </LayerGroup>
      </LayerEntries>
    </Popover>
  )
}
