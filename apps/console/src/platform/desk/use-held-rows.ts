import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

interface Row {
  _id: string
}

interface HeldRowsOptions<Item> {
  rows: readonly Item[]
  /** Identifies the query of the rows: search, order and pages. Rows of another query are shown immediately. */
  question?: string
}

/**
 * Keeps the rows of a live list in place while the pointer or the focus is in it, so that no row moves under a press.
 * Values change in place, a removed row keeps its last values, and new rows wait.
 */
export function useHeldRows<Item extends Row>(
  list: RefObject<HTMLElement | null>,
  { rows, question = '' }: HeldRowsOptions<Item>,
) {
  const [held, setHeld] = useState<{ question: string; rows: readonly Item[] } | null>(null)
  const kept = held?.question === question ? held.rows : null
  const hold = useEffectEvent((isInUse: boolean) => {
    if (!isInUse) setHeld(null)
    else if (kept === null) setHeld({ question, rows })
  })

  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && list.current?.contains(target) === true
    let isPointed = false
    let hasFocus = false
    const events: Record<string, (event: Event) => void> = {
      // Not on entry: a list that moves below a resting pointer is not in use.
      pointermove: ({ target }) => {
        isPointed = isInside(target)
        // An element that is removed loses the focus without an event.
        hasFocus = isInside(document.activeElement)
      },
      pointerout: (event) => {
        if (event instanceof PointerEvent && event.relatedTarget === null) isPointed = false
      },
      focusin: ({ target }) => {
        hasFocus = isInside(target)
      },
      focusout: (event) => {
        hasFocus = event instanceof FocusEvent && isInside(event.relatedTarget)
      },
    }
    const listen = (event: Event) => {
      events[event.type]?.(event)
      hold(isPointed || hasFocus)
    }
    for (const type of Object.keys(events)) document.addEventListener(type, listen)
    return () => {
      for (const type of Object.keys(events)) document.removeEventListener(type, listen)
    }
  }, [list])

  const current = new Map(rows.map((row) => [row._id, row]))
  const known = new Set(kept?.map(({ _id }) => _id))
  return {
    shown: kept === null ? rows : kept.map((row) => current.get(row._id) ?? row),
    /** Number of rows that are not shown yet. */
    waiting: kept === null ? 0 : rows.filter(({ _id }) => !known.has(_id)).length,
    showAll: () => setHeld({ question, rows }),
  }
}
