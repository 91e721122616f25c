import { type CSSProperties, type MouseEvent, useRef } from 'react'
import { Outlet } from 'react-router'
import { useEdgeAlerts } from '../edges/use-edge-alerts.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { SettingsEverywhere } from '../settings/SettingsEverywhere.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { MainNavigation } from './MainNavigation.tsx'
import styles from './Shell.module.css'
import { texts } from './shell.texts.ts'
import { useHeadingFocus } from './use-heading-focus.ts'
import { useOneProject } from './use-one-project.ts'
import { useProjectOfOtherTabs } from './use-project-of-other-tabs.ts'
import { useWindowOfNavigation } from './use-window-of-navigation.ts'

/** The frame around every page: the header, the navigation, the page and the footer. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const project = useActiveProject()
  useHeadingFocus(main)
  useProjectOfOtherTabs()
  useOneProject(project?._id)
  useWindowOfNavigation()
  useEdgeAlerts(project)

  const skipToContent = (event: MouseEvent) => {
    // Not a change of address: the router would take `#content` for a navigation.
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <div className={styles.shell} style={{ '--project': project?.config.consoleColor } as CSSProperties}>
      <a className={styles.skip} href="#content" onClick={skipToContent}>
        {texts.skipToContent}
      </a>
      <Header project={project} />
      <div className={styles.sidebar}>
        <MainNavigation />
      </div>
      <main ref={main} id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <SettingsEverywhere />
    </div>
  )
}
