import { Link } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import styles from './InstallationLinks.module.css'
import { installationPages } from './installation-pages.ts'
import { publicSettingsQuery } from './public-settings.queries.ts'
import { texts } from './shell.texts.ts'

/** Contact, Privacy and Imprint: links to the configured addresses, or to the console's own pages. */
export function InstallationLinks() {
  const { data: settings } = useQuery(publicSettingsQuery)
  return (
    <ul className={styles.links}>
      {installationPages.map(({ name, path, urlOf }) => {
        const url = (settings && urlOf(settings)) ?? null
        return (
          <li key={name}>
            <Link className={styles.link} href={url ?? path} external={url?.startsWith('http')}>
              {texts[name]}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
