import { Badge, Kbd } from '@pult/ui'
import LogOut from 'lucide-react/icons/log-out'
import { type ReactNode, useId } from 'react'
import { useLocation } from 'react-router'
import { useArrowKeys } from '#platform/arrow-keys.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { account, type Page, pages, type Section, settings } from '../pages/pages.tsx'
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
          <Place page={pages.home} />
        </ul>
        {ofProject.length > 0 && (
          <Group title={texts.apps} keys="G+A">
            {ofProject.map((app) => (
              <AppEntry key={app.manifest.id} app={app} />
            ))}
          </Group>
        )}
        <Group title={texts.workspace}>
          <Place page={pages.projects} />
          <Place page={pages.organizations} />
          <Place page={pages.tasks} end={running > 0 && <Badge count={running} />} />
          <RootPlaces />
        </Group>
        <Group title={texts.you}>
          {[account, settings].map((section) => (
            <SectionEntry key={section.path} section={section} />
          ))}
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
    isCurrent(pages.root.path, pathname) ||
    rootApps.some(({ manifest: { id } }) => isCurrent(`/app/${id}`, pathname))
  return (
    <>
      <Place page={pages.root} />
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

function Place({ page: { path, label, icon }, end }: { page: Page; end?: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <Entry href={path} current={isCurrent(path, pathname)} icon={icon} end={end}>
      {label}
    </Entry>
  )
}

function SectionEntry({ section: { path, entry } }: { section: Section }) {
  const { pathname } = useLocation()
  return (
    <Entry href={entry.href} current={isCurrent(path, pathname)} icon={entry.icon}>
      {entry.label}
    </Entry>
  )
}
