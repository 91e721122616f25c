import { Menu, MenuItem, MenuSection } from '@pult/ui'
import CircleUser from 'lucide-react/icons/circle-user'
import LogOut from 'lucide-react/icons/log-out'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'

import { useCredentials } from '#platform/use-credentials.ts'
import type { LoadedMenuProps } from './LazyMenu.tsx'
import { logOut } from './log-out.ts'
import { OpeningMenu } from './OpeningMenu.tsx'
import { texts } from './shell.texts.ts'

/** What belongs to the person who is signed in. */
export function UserMenuItems({ button, autoFocus }: LoadedMenuProps) {
  const { email } = useCredentials()
  return (
    <OpeningMenu button={button}>
      <Menu label={texts.account} autoFocus={autoFocus} placement="bottom end">
        <MenuSection title={email}>
          <MenuItem href="/me" icon={<CircleUser aria-hidden="true" />}>
            {texts.profile}
          </MenuItem>
          <MenuItem href="/settings/stream-decks" icon={<SlidersHorizontal aria-hidden="true" />}>
            {texts.deviceSettings}
          </MenuItem>
          <MenuItem icon={<LogOut aria-hidden="true" />} onAction={() => void logOut()}>
            {texts.logout}
          </MenuItem>
        </MenuSection>
      </Menu>
    </OpeningMenu>
  )
}
