import { formatInstant, VisuallyHidden } from '@pult/ui'
import { build } from '#platform/build.ts'
import { texts as platformTexts } from '#platform/platform.texts.ts'
import styles from './BuildDetails.module.css'
import { texts } from './shell.texts.ts'

/** The version of the page and, unfolded, its build, for bug reports. */
export function BuildDetails() {
  return (
    <footer className={styles.footer}>
      <details>
        <summary className={styles.version}>
          <VisuallyHidden>{platformTexts.version(build.version)}</VisuallyHidden>
          <span aria-hidden="true">{build.version}</span>
        </summary>
        <p className={styles.facts}>
          {texts.built} <time dateTime={build.timestamp}>{formatInstant(build.timestamp)}</time>
          <br />
          {texts.commit} <code>{build.commit}</code>
        </p>
      </details>
    </footer>
  )
}
