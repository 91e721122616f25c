import type { Project } from '@pult/contract'
import { BrandMark, Link } from '@pult/ui'
import { useLocation } from 'react-router'
import { pages } from '../pages/pages.tsx'
import { TasksButton } from '../tasks/TasksButton.tsx'
import { AppSwitcher } from './AppSwitcher.tsx'
import type { FrameWidth } from './frame-width.ts'
import styles from './Header.module.css'
import { NavigationDrawer } from './NavigationDrawer.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { SearchButton } from './SearchButton.tsx'
import { ShellNotice } from './ShellNotice.tsx'
import { UserMenu } from './UserMenu.tsx'
import { WhereAmI } from './WhereAmI.tsx'
import { windowBarSlot } from './window-bar-slot.ts'

const showWindowBar = (slot: HTMLElement | null) => windowBarSlot.set(slot)

/** The header, always visible. Without a sidebar it contains the project switcher, and on a phone little else. */
export function Header({ project, width }: { project: Project | null; width: FrameWidth }) {
  return (
    <header className={styles.header}>
      {width === 'narrow' && <NavigationDrawer />}
      {width !== 'phone' && (
        <div className={styles.start}>
          <HomeLink />
          <AppSwitcher />
        </div>
      )}
      {width === 'wide' ? <WhereAmI /> : <ProjectSwitcher />}
      <div className={styles.windows} ref={showWindowBar} />
      <ShellNotice />
      <div className={styles.end}>
        <SearchButton />
        {width !== 'phone' && <TasksButton projectId={project?._id} />}
        <UserMenu />
      </div>
    </header>
  )
}

function HomeLink() {
  const { pathname } = useLocation()
  return (
    <Link
      href="/"
      className={styles.home}
      aria-label={pages.home.label}
      aria-current={pathname === '/' ? 'page' : undefined}
    >
      <BrandMark size={26} />
    </Link>
  )
}
