import { formatInstant } from '@pult/ui'
import { build } from '#platform/build.ts'
import { texts as platformTexts } from '#platform/platform.texts.ts'
import styles from './Footer.module.css'
import { texts } from './shell.texts.ts'

/** Which build this page is, for whoever reports a problem. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <span>{platformTexts.version(build.version)}</span>
      <span>
        {texts.built} <time dateTime={build.timestamp}>{formatInstant(build.timestamp)}</time>
      </span>
      <span>
        {texts.commit} <code>{build.commit}</code>
      </span>
    </footer>
  )
}
