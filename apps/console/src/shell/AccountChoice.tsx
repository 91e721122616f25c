import { Popover } from '@pult/ui'
import CircleUser from 'lucide-react/icons/circle-user'
import LogOut from 'lucide-react/icons/log-out'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useCredentials } from '#platform/use-credentials.ts'
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
          <Entry href="/me" icon={<CircleUser />} onOpen={onClose}>
            {texts.profile}
          </Entry>
          <Entry href="/settings/stream-decks" icon={<SlidersHorizontal />} onOpen={onClose}>
            {texts.deviceSettings}
          </Entry>
          <Entry icon={<LogOut />} onOpen={leave}>
            {texts.logout}
          </Entry>
        </LayerGroup>
      </LayerEntries>
    </Popover>
  )
}
