import '../styles/desk.css'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Page.module.css'

export interface PageProps {
  /** `data` uses the whole sheet, up to 1680 px; `reading` 760 px for forms and text, or 1078 px with a side column. */
  width: 'data' | 'reading'
  /** The side column. In a narrow sheet it follows the main column. */
  side?: ReactNode
  /** Content above both columns, such as the PageHead. */
  head?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/**
 * Renders the grid of a page. Styles of its content can query the sheet's width: below `@container page (width <
 * 712px)` the page has one column. The CSS property `--page-side` sets the width of the side column.
 */
export function Page({ width, side, head, className, children }: PageProps) {
  const hasSide = side !== undefined && side !== null && side !== false
  return (
    <div className={classNames(styles.frame, className)}>
      <div className={styles.page} data-width={width} data-side={hasSide || undefined}>
        {head !== undefined && <div className={styles.head}>{head}</div>}
        <div className={styles.column}>{children}</div>
        {hasSide && <div className={styles.column}>{side}</div>}
      </div>
    </div>
  )
}
