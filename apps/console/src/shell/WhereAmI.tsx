import { Link } from '@pult/ui'
import { useLocation } from 'react-router'
import { pageTitles } from '#platform/page-title.ts'
import { useStore } from '#platform/use-store.ts'
import { apps, findApp, isRootApp } from '../extensions/registry.ts'
import { pages } from '../pages/pages.tsx'
import { useActiveProject } from '../projects/projects.queries.ts'
import { texts } from './shell.texts.ts'
import styles from './WhereAmI.module.css'

/** The path to the current page: the project of an app, then the titles of the page from the outside inwards. */
export function WhereAmI() {
  const titles = useStore(pageTitles)
  const { pathname } = useLocation()
  const project = useActiveProject()
  const registered = useStore(apps)
  const [, section = '', appId = ''] = pathname.split('/')
  const app = section === 'app' ? findApp(registered, appId) : undefined
  const start =
    app &&
    (isRootApp(app)
      ? { title: pages.root.label, href: pages.root.path }
      : project && { title: project.label, href: '/' })
  const path = [
    ...(start ? [start] : []),
    ...titles.map((title, depth) => ({
      title,
      href: depth === 0 ? (app ? `/app/${appId}` : `/${section}`) : undefined,
    })),
  ]
  return (
    <ol className={styles.path} aria-label={texts.whereAmI}>
      {path.map(({ title, href }, index) => {
        const isHere = index === path.length - 1
        return (
          // oxlint-disable-next-line react/no-array-index-key -- Two levels may have the same title.
          <li key={`${index} ${title}`} aria-current={isHere ? 'page' : undefined}>
            {isHere || href === undefined ? title : <Link href={href}>{title}</Link>}
          </li>
        )
      })}
    </ol>
  )
}
