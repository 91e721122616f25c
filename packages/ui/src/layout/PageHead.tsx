import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { LockNote } from '../feedback/LockNote.tsx'
import styles from './PageHead.module.css'

export interface PageHeadProps {
  /** Content before the title: an AppTile or a project's tile. */
  icon?: ReactNode
  title: ReactNode
  /** A line below the title. */
  text?: ReactNode
  /** Content beside the title: a StateChip. */
  state?: ReactNode
  /** Content before the actions: an AvatarGroup. */
  people?: ReactNode
  /** At most three buttons and one menu. The primary button is the last one before the menu. */
  actions?: ReactNode
  /**
   * Names the role that may change the page, for users who may not: "Managers change this". It replaces the actions.
   */
  lock?: ReactNode
  /** Level of the heading: 1 by default, 2 for a part of a page. */
  level?: 1 | 2 | undefined
}

/**
 * Renders the head of a page: its heading, state and actions in one line. After a navigation the heading takes the
 * focus, even if it renders only after the page's data has arrived.
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

/** Moves the focus from the page's frame, which got it when the navigation began, to the heading. */
function takeFocus(heading: HTMLElement): void {
  const { activeElement } = document
  const main = heading.closest('main')
  if (main === null || activeElement === null || !main.contains(activeElement)) return
  if (activeElement !== main && !activeElement.matches('[data-page-heading], h1')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
