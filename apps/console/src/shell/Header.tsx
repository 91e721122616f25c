import type { Project } from '@pult/contract'
import { BrandMark, Link, ProjectChip, VisuallyHidden } from '@pult/ui'
import { useLocation } from 'react-router'
import { TasksButton } from '../tasks/TasksButton.tsx'
import { AppSwitcher } from './AppSwitcher.tsx'
import styles from './Header.module.css'
import { NavigationDrawer } from './NavigationDrawer.tsx'
import { SearchButton } from './SearchButton.tsx'
import { ShellNotice } from './ShellNotice.tsx'
import { texts } from './shell.texts.ts'
import { ThemeMenu } from './ThemeMenu.tsx'
import { UserMenu } from './UserMenu.tsx'
import { windowBarSlot } from './window-bar-slot.ts'

const showWindowBar = (slot: HTMLElement | null) => windowBarSlot.set(slot)

/** Always in view: where home is, which project one is in, and who one is. */
export function Header({ project }: { project: Project | null }) {
  const { pathname } = useLocation()
  return (
    <header className={styles.header}>
      <div className={styles.narrowOnly}>
        <NavigationDrawer />
      </div>
      <Link
        href="/"
        className={styles.home}
        aria-label={texts.home}
        aria-current={pathname === '/' ? 'page' : undefined}
      >
        <BrandMark size={26} />
      </Link>
      <AppSwitcher />
      {project && (
        <Link href="/projects" className={styles.project}>
          <VisuallyHidden>{texts.activeProject}</VisuallyHidden>
          <ProjectChip label={project.label} color={project.config.consoleColor} />
        </Link>
      )}
      <div className={styles.windows} ref={showWindowBar} />
      <ShellNotice />
      <div className={styles.end}>
        <SearchButton />
        <TasksButton projectId={project?._id} />
        <div className={styles.wideOnly}>
          <ThemeMenu />
        </div>
        <UserMenu />
      </div>
    </header>
  )
}
