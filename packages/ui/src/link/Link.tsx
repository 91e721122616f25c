import { classNames } from '../class-names.ts'
import { type AnchorProps, useAnchor } from './anchor.ts'
import styles from './Link.module.css'

/**
 * Renders a text link. A plain click on a path of this origin calls `navigate` of `UiProvider`. The browser handles
 * modified clicks, other origins, `target` and `download`. Takes every attribute of `<a>`.
 */
export function Link({ className, ...rest }: AnchorProps) {
  return <a className={classNames(styles.link, className)} {...useAnchor(rest)} />
}
