import { Badge, Kbd } from '@pult/ui'
import Building2 from 'lucide-react/icons/building-2'
import CircleUser from 'lucide-react/icons/circle-user'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import House from 'lucide-react/icons/house'
import ListChecks from 'lucide-react/icons/list-checks'
import LogOut from 'lucide-react/icons/log-out'
import Shield from 'lucide-react/icons/shield'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type ReactNode, useId } from 'react'
import { useLocation } from 'react-router'
import { useArrowKeys } from '#platform/arrow-keys.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { tasksGlance } from '../tasks/tasks-glance.ts'
import { AppEntry } from './AppEntry.tsx'
import { Entry } from './Entry.tsx'
import { InstallationLinks } from './InstallationLinks.tsx'
import { isCurrent } from './is-current.ts'
import { logOut } from './log-out.ts'
import styles from './MainNavigation.module.css'
import { texts } from './shell.texts.ts'

/** The navigation: the active project with its apps, the workspace and the user's own pages. */
export function MainNavigation() {
  const ofProject = useStore(apps).filter((app) => !isRootApp(app))
  const entries = useArrowKeys<HTMLElement>()
  const { running } = useStore(tasksGlance)
  return (
    <nav ref={entries} className={styles.navigation} aria-label={texts.mainNavigation}>
      <div className={styles.places}>
        <ul>
          <Place href="/" icon={<House />}>
            {texts.home}
          </Place>
        </ul>
        {ofProject.length > 0 && (
          <Group title={texts.apps} keys="G+A">
            {ofProject.map((app) => (
              <AppEntry key={app.manifest.id} app={app} />
            ))}
          </Group>
        )}
        <Group title={texts.workspace}>
          <Place href="/projects" icon={<FolderKanban />}>
            {texts.projects}
          </Place>
          <Place href="/orgs" icon={<Building2 />}>
            {texts.organizations}
          </Place>
          <Place href="/tasks" icon={<ListChecks />} end={running > 0 && <Badge count={running} />}>
            {texts.tasks}
          </Place>
          <RootPlaces />
        </Group>
        <Group title={texts.you}>
          <Place href="/me" icon={<CircleUser />}>
            {texts.profile}
          </Place>
          <Place href="/settings/stream-decks" under="/settings" icon={<SlidersHorizontal />}>
            {texts.deviceSettings}
          </Place>
          <Entry icon={<LogOut />} onOpen={() => void logOut()}>
            {texts.logout}
          </Entry>
        </Group>
      </div>
      <InstallationLinks />
    </nav>
  )
}

/** Root and, while one of its pages is open, the root apps. */
function RootPlaces() {
  const { isRoot } = useCredentials()
  const { pathname } = useLocation()
  const rootApps = useStore(apps).filter(isRootApp)
  if (!isRoot) return null
  const isOpen =
    isCurrent('/root', pathname) || rootApps.some(({ manifest: { id } }) => isCurrent(`/app/${id}`, pathname))
  return (
    <>
      <Place href="/root" icon={<Shield />}>
        {texts.root}
      </Place>
      {isOpen && rootApps.map((app) => <AppEntry key={app.manifest.id} app={app} />)}
    </>
  )
}

function Group({ title, keys, children }: { title: string; keys?: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
      <p className={styles.title}>
        <span id={id}>{title}</span>
        {keys !== undefined && (
          <span className={styles.keys} aria-hidden="true">
            <Kbd keys={keys} />
          </span>
        )}
      </p>
      <ul>{children}</ul>
    </div>
  )
}

interface PlaceProps {
  href: string
  /** The path prefix of all pages of this destination, if it is not `href`. */
  under?: string
  icon: ReactNode
  end?: ReactNode
  children: string
}

function Place({ href, under = href, ...entry }: PlaceProps) {
  const { pathname } = useLocation()
  return <Entry href={href} current={isCurrent(under, pathname)} {...entry} />
}
