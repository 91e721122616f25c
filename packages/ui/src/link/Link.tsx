import { classNames } from '../class-names.ts'
import { type AnchorProps, useAnchor } from './anchor.ts'
import styles from './Link.module.css'

/**
 * A text link. A plain click on a path of this origin goes through `UiProvider`'s `navigate`; modified clicks, other
 * origins, `target` and `download` are left to the browser. Takes every attribute of `<a>`.
 */
export function Link({ className, ...rest }: AnchorProps) {
  return <a className={classNames(styles.link, className)} {...useAnchor(rest)} />
}
