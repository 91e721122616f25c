import { usePrinting } from '@pult/ui'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { RowRange } from './use-pages.ts'

/** Number of rows rendered beyond the edges, for fast scrolling. */
const spare = 8

/** Paper does not scroll. */
const allRows: RowRange = { first: 0, last: Number.POSITIVE_INFINITY }

/**
 * Returns the rows that an element with rows of equal height draws: those in view, updated on scroll and resize, and all
 * of them on paper. The last element is the range in view also while the page is printed, for a list that loads rows.
 */
export function useRowsInView<Scroller extends HTMLElement>(
  rowHeight: number,
): [scroller: RefObject<Scroller | null>, drawn: RowRange, inView: RowRange] {
  const scroller = useRef<Scroller>(null)
  const isPrinting = usePrinting()
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

  return [scroller, isPrinting ? allRows : rows, rows]
}
