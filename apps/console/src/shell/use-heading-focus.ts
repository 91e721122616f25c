import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * After a navigation the focus goes to the new page's heading: a screen reader says it, and Tab goes on from there. The
 * first page keeps the document's own start, so that Tab reaches the skip link.
 */
export function useHeadingFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const navigation = useNavigationType()
  const shownPath = useRef(pathname)

  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    // A record in an app has a heading of its own below that of the app.
    const headings = main.current?.querySelectorAll<HTMLElement>('h1, [data-page-heading]')
    const start = [...(headings ?? [])].at(-1) ?? main.current
    if (!start) return
    start.tabIndex = -1
    start.focus({ preventScroll: true })
    // Back and forward: the browser restores where one was.
    if (navigation !== NavigationType.Pop) scrollTo(0, 0)
  }, [main, pathname, navigation])
}
