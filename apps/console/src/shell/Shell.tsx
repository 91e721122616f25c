import { type CSSProperties, type MouseEvent, useEffect, useRef } from 'react'
import { Outlet } from 'react-router'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { useEdgeAlerts } from '../edges/use-edge-alerts.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { SettingsEverywhere } from '../settings/SettingsEverywhere.tsx'
import { isNavigationFolded } from './fold.ts'
import { useFrameWidth } from './frame-width.ts'
import { Header } from './Header.tsx'
import { listenToLetters } from './listen-to-letters.ts'
import { PhoneBar } from './PhoneBar.tsx'
import { noteProject } from './recent-projects.ts'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { texts } from './shell.texts.ts'
import { useHeadingFocus } from './use-heading-focus.ts'
import { useOneProject } from './use-one-project.ts'
import { useWindowOfNavigation } from './use-window-of-navigation.ts'

/** The frame around every page: the header, the navigation and the page. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const { _id: personId } = useCredentials()
  const project = useActiveProject()
  const projectId = project?._id
  const width = useFrameWidth()
  const isFolded = useStore(isNavigationFolded)
  useHeadingFocus(main)
  const isElsewhere = useOneProject(projectId)
  useWindowOfNavigation()
  useEdgeAlerts(project)
  useEffect(listenToLetters, [])
  useEffect(() => {
    if (projectId !== undefined) noteProject(personId, projectId)
  }, [personId, projectId])

  const skipToContent = (event: MouseEvent) => {
    // Does not change the URL, because the router would treat `#content` as a navigation.
    event.preventDefault()
    main.current?.focus()
  }

  return (
    <div
      className={styles.shell}
      data-folded={(isFolded && width === 'wide') || undefined}
      style={{ '--project': project?.config.consoleColor } as CSSProperties}
    >
      <a className={styles.skip} href="#content" onClick={skipToContent}>
        {texts.skipToContent}
      </a>
      <Header project={project} width={width} />
      {width === 'wide' && <Sidebar />}
      <main ref={main} id="content" className={styles.main} tabIndex={-1} data-page-content="">
        {!isElsewhere && <Outlet />}
      </main>
      {width === 'phone' && <PhoneBar projectId={projectId} />}
      <SettingsEverywhere />
    </div>
  )
}
