import { NavItem } from '@pult/ui'
import Building2 from 'lucide-react/icons/building-2'
import CircleUser from 'lucide-react/icons/circle-user'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import ListChecks from 'lucide-react/icons/list-checks'
import LogOut from 'lucide-react/icons/log-out'
import Shield from 'lucide-react/icons/shield'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useCredentials } from '#platform/use-credentials.ts'
import { InstallationLinks } from './InstallationLinks.tsx'
import { isCurrent } from './is-current.ts'
import { logOut } from './log-out.ts'
import styles from './MainNavigation.module.css'
import { texts } from './shell.texts.ts'

/** The console's places, those of this person only. Stands beside the page, or in the drawer of a narrow screen. */
export function MainNavigation() {
  const { isRoot } = useCredentials()
  return (
    <nav className={styles.navigation} aria-label={texts.mainNavigation}>
      <ul className={styles.places}>
        <Place href="/me" icon={<CircleUser />}>
          {texts.profile}
        </Place>
        <Place href="/orgs" icon={<Building2 />}>
          {texts.organizations}
        </Place>
        <Place href="/projects" icon={<FolderKanban />}>
          {texts.projects}
        </Place>
        <Place href="/tasks" icon={<ListChecks />}>
          {texts.tasks}
        </Place>
        {isRoot && (
          <Place href="/root" icon={<Shield />}>
            {texts.root}
          </Place>
        )}
        <Place href="/settings/stream-decks" under="/settings" icon={<SlidersHorizontal />}>
          {texts.deviceSettings}
        </Place>
        <NavItem icon={<LogOut />} onPress={() => void logOut()}>
          {texts.logout}
        </NavItem>
      </ul>
      <InstallationLinks />
    </nav>
  )
}

interface PlaceProps {
  href: string
  /** The path whose pages all belong to this place, where it is not `href` itself. */
  under?: string
  icon: ReactNode
  children: string
}

function Place({ href, under = href, icon, children }: PlaceProps) {
  const { pathname } = useLocation()
  return (
    <NavItem href={href} icon={icon} current={isCurrent(under, pathname)}>
      {children}
    </NavItem>
  )
}
