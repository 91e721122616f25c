import { Link, StatusShape } from '@pult/ui'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { type NavigationState, navigationStates } from '#platform/navigation-states.ts'
import { useStore } from '#platform/use-store.ts'
import { openInWindow } from '#platform/window-requests.ts'
import { apps, isRootApp } from '../extensions/registry.ts'
import { pages } from '../pages/pages.tsx'
import { TasksButton } from '../tasks/TasksButton.tsx'
import { isCurrent } from './is-current.ts'
import { LateIcon } from './LateIcon.tsx'
import { NavigationDrawer } from './NavigationDrawer.tsx'
import styles from './PhoneBar.module.css'
import { texts } from './shell.texts.ts'

/** The bar at the bottom of a phone: home, the first app, the tasks and a drawer with every entry. */
export function PhoneBar({ projectId }: { projectId: string | undefined }) {
  const first = useStore(apps).find((app) => !isRootApp(app))
  const states = useStore(navigationStates)
  return (
    <nav className={styles.bar} aria-label={texts.quickNavigation}>
      <Place href={pages.home.path} icon={pages.home.icon}>
        {pages.home.label}
      </Place>
      {first && (
        <Place
          href={`/app/${first.manifest.id}`}
          icon={<LateIcon app={first} />}
          {...(first.manifest.container === 'window' && {
            onOpen: () => openInWindow({ appId: first.manifest.id }),
          })}
          state={states.get(first.manifest.id)}
        >
          {first.manifest.label}
        </Place>
      )}
      <TasksButton projectId={projectId} className={styles.place} caption={pages.tasks.label} />
      <NavigationDrawer className={styles.place} caption={texts.more} />
    </nav>
  )
}

interface PlaceProps {
  href: string
  icon: ReactNode
  state?: NavigationState | undefined
  onOpen?: () => void
  children: string
}

function Place({ href, icon, state, onOpen, children }: PlaceProps) {
  const { pathname } = useLocation()
  return (
    <Link
      href={href}
      className={styles.place}
      aria-current={isCurrent(href, pathname) ? 'page' : undefined}
      onClick={(event) => {
        if (!onOpen) return
        event.preventDefault()
        onOpen()
      }}
    >
      <span className={styles.icon}>
        {icon}
        {state?.status && (
          <span>
            <StatusShape status={state.status} label={state.label} />
          </span>
        )}
      </span>
      <span className={styles.label}>{children}</span>
    </Link>
  )
}
