import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { RowRange } from './use-pages.ts'

/** Rows beyond the edges, so that fast scrolling finds them there. */
const spare = 8

/** Which rows of equal height the element shows, as it scrolls and changes its size. */
export function useRowsInView<Scroller extends HTMLElement>(
  rowHeight: number,
): [scroller: RefObject<Scroller | null>, rows: RowRange] {
  const scroller = useRef<Scroller>(null)
  const [rows, setRows] = useState<RowRange>({ first: 0, last: 2 * spare })

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spare)
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + spare
      setRows((now) => (now.first === first && now.last === last ? now : { first, last }))
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [rowHeight])

  return [scroller, rows]
}
