import { Link } from '@pult/ui'
import { usePublicSettings } from '#platform/public-settings.queries.ts'
import { pages } from '../pages/pages.tsx'
import styles from './InstallationLinks.module.css'
import { type InstallationPageName, installationPages } from './installation-pages.ts'

const names = Object.keys(installationPages) as InstallationPageName[]

/** Contact, Privacy and Imprint: links to the configured addresses, or to the console's own pages. */
export function InstallationLinks() {
  const { data: settings } = usePublicSettings()
  return (
    <ul className={styles.links}>
      {names.map((name) => {
        const { path, label } = pages[name]
        const url = (settings && installationPages[name].urlOf(settings)) ?? null
        return (
          <li key={name}>
            <Link className={styles.link} href={url ?? path} external={url?.startsWith('http')}>
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
