import { Separator } from 'react-aria-components/Menu'
import styles from './MenuSeparator.module.css'

/** Renders a line between items of a {@link Menu}. */
export function MenuSeparator() {
  return <Separator className={styles.separator ?? ''} />
}
