import '../styles/desk.css'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './Page.module.css'

export interface PageProps {
  /** `data`: the whole sheet, up to 1680 px. `reading`: 760 px for forms and text, 1078 px with a side column. */
  width: 'data' | 'reading'
  /** The side column; in a narrow sheet it follows the main one. */
  side?: ReactNode
  /** Content above both columns, such as the PageHead. */
  head?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/**
 * The grid of a page. Its content can ask for the sheet's width: `@container page (width < 712px)` is one column. A
 * page may set the width of its side column, `--page-side`.
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
