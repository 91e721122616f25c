import { Link } from '@pult/ui'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { arrowStop } from '#platform/arrow-keys.ts'
import { useStore } from '#platform/use-store.ts'
import styles from './Entry.module.css'
import { isNavigationFolded } from './fold.ts'

interface EntryProps {
  icon: ReactNode
  children: string
  /** Shown at the end: a count or a state. */
  end?: ReactNode
  /** A second action, shown on hover and focus in place of `end`. */
  second?: ReactNode
  current?: boolean | undefined
  isInWindow?: boolean | undefined
  /** Without it the entry is a button. */
  href?: string | undefined
  /** Runs when a link is followed, or when the button is pressed. */
  onOpen?: ((event: MouseEvent) => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
  /** The keys that `onKeyDown` handles, as `aria-keyshortcuts` names them. */
  keys?: string | undefined
}

/** An entry of the navigation or of a layer of the frame. */
export function Entry({
  icon,
  children,
  end,
  second,
  current,
  isInWindow,
  href,
  onOpen,
  onKeyDown,
  keys,
}: EntryProps) {
  const title = useStore(isNavigationFolded) ? children : undefined
  const content = (
    <>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={styles.label}>{children}</span>
      {end && <span className={styles.end}>{end}</span>}
    </>
  )
  return (
    <li className={styles.entry}>
      {href === undefined ? (
        <button type="button" className={styles.action} title={title} onClick={onOpen} {...arrowStop}>
          {content}
        </button>
      ) : (
        <Link
          href={href}
          className={styles.action}
          title={title}
          data-in-window={isInWindow || undefined}
          aria-current={current ? 'page' : undefined}
          onClick={onOpen}
          onKeyDown={onKeyDown}
          aria-keyshortcuts={keys}
          {...arrowStop}
        >
          {content}
        </Link>
      )}
      {second && <span className={styles.second}>{second}</span>}
    </li>
  )
}
