import styles from './Breadcrumbs.module.css'
import { Link } from './Link.tsx'

export interface BreadcrumbsProps {
  /** Accessible name of the landmark. */
  label: string
  /** The path from the outermost page to the current one. The last entry is the current page and no link. */
  items: readonly { title: string; href?: string | undefined }[]
}

/** Shows the path to the current page. If the space is too narrow, the outer entries are cut off first. */
export function Breadcrumbs({ label, items }: BreadcrumbsProps) {
  return (
    <nav aria-label={label} className={styles.breadcrumbs}>
      <ol className={styles.list}>
        {items.map(({ title, href }, index) => (
          <li key={`${href} ${title}`} className={styles.item}>
            {index === items.length - 1 || href === undefined ? (
              <span className={styles.place} aria-current={index === items.length - 1 ? 'page' : undefined}>
                {title}
              </span>
            ) : (
              <Link href={href} className={styles.place ?? ''}>
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
