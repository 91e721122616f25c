import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * Focuses the new page's heading after a navigation, or the first field of a form page. Screen readers announce it, and
 * Tab continues from there. The first page keeps the document's initial focus, so that Tab reaches the skip link.
 */
export function useHeadingFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const navigation = useNavigationType()
  const shownPath = useRef(pathname)

  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    // A record in an app has its own heading after that of the app.
    const headings = main.current?.querySelectorAll<HTMLElement>('h1, [data-page-heading]')
    const field = main.current?.querySelector<HTMLElement>('[data-first-field]')
    const start = field ?? [...(headings ?? [])].at(-1) ?? main.current
    if (!start) return
    if (!field) start.tabIndex = -1
    start.focus({ preventScroll: true })
    // For back and forward, the browser restores the scroll position.
    if (navigation !== NavigationType.Pop) scrollTo(0, 0)
  }, [main, pathname, navigation])
}
