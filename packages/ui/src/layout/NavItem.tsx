import type { ReactNode } from 'react'
import { useAnchor } from '../link/anchor.ts'
import styles from './NavItem.module.css'

interface NavItemTexts {
  /** From `lucide-react/icons/…`. */
  icon?: ReactNode
  children: ReactNode
  /** A second, quieter line. */
  detail?: ReactNode
  /** Content at the end: a Badge or an external-link icon. */
  end?: ReactNode
}

export type NavItemProps = NavItemTexts &
  (
    | { href: string; current?: boolean | undefined; external?: boolean | undefined; onPress?: never }
    | { onPress: () => void; href?: never }
  )

/** Renders an entry of a {@link NavList}: a link that may be the current page, or an action such as signing out. */
export function NavItem(props: NavItemProps) {
  return (
    <li>
      {props.href === undefined ? (
        <button type="button" className={styles.item} onClick={props.onPress}>
          <Content {...props} />
        </button>
      ) : (
        <NavAnchor href={props.href} external={props.external} current={props.current}>
          <Content {...props} />
        </NavAnchor>
      )}
    </li>
  )
}

interface NavAnchorProps {
  href: string
  external: boolean | undefined
  current: boolean | undefined
  children: ReactNode
}

function NavAnchor({ href, external, current = false, children }: NavAnchorProps) {
  const anchor = useAnchor({ href, external })
  return (
    <a className={styles.item} aria-current={current ? 'page' : undefined} {...anchor}>
      {children}
    </a>
  )
}

function Content({ icon, children, detail, end }: NavItemTexts) {
  return (
    <>
      {icon}
      <span className={styles.texts}>
        <span className={styles.label}>{children}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      {end}
    </>
  )
}
