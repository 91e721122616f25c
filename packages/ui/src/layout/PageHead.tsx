import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { LockNote } from '../feedback/LockNote.tsx'
import styles from './PageHead.module.css'

export interface PageHeadProps {
  /** Before the title: an AppTile, a project's tile. */
  icon?: ReactNode
  title: ReactNode
  /** A line below the title. */
  text?: ReactNode
  /** Beside the title: a StateChip. */
  state?: ReactNode
  /** Before the actions: an AvatarGroup. */
  people?: ReactNode
  /** At most three buttons and one menu; the primary one last but for the menu. */
  actions?: ReactNode
  /** Who may change it, for users who may not: "Managers change this". It takes the place of their actions. */
  lock?: ReactNode
  /** 2 for a part of a page that has a title already; 1 by default. */
  level?: 1 | 2 | undefined
}

/**
 * The head of a page: its heading, state and actions in one line. After a navigation the focus goes to the heading, also
 * when the page draws it only once its data has arrived.
 */
export function PageHead({ icon, title, text, state, people, actions, lock, level = 1 }: PageHeadProps) {
  const Heading = `h${level}` as const
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (heading.current !== null) takeFocus(heading.current)
  }, [])
  return (
    <header className={styles.head}>
      {icon}
      <div className={styles.texts}>
        <div className={styles.line}>
          <Heading ref={heading} className={styles.title} data-page-heading>
            {title}
          </Heading>
          {state}
        </div>
        {text !== undefined && <p className={styles.text}>{text}</p>}
      </div>
      {people}
      {lock !== undefined && <LockNote>{lock}</LockNote>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}

/** Takes the focus over from the page's frame, which got it when the navigation began. */
function takeFocus(heading: HTMLElement): void {
  const { activeElement } = document
  const main = heading.closest('main')
  if (main === null || activeElement === null || !main.contains(activeElement)) return
  if (activeElement !== main && !activeElement.matches('[data-page-heading], h1')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
