import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Keys pressed within this time form one prefix of a label. */
const typingPause = 700

interface ListKeysOptions {
  list: RefObject<HTMLElement | null>
  count: number
  /** Undefined for a row that is not loaded. */
  labelAt: (index: number) => string | undefined
  scrollTo: (index: number) => void
}

/** Marks a row's link: `<a {...rowStop(3)}>`. */
export const rowStop = (index: number) => ({ 'data-row': index })

/** The number of the row that an element belongs to. */
export function rowOf(target: EventTarget): number | null {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return link === null ? null : Number(link.dataset.row)
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
}

/**
 * The arrow keys, Home, End and the first letters of a label move the focus through the rows of a list, whether they are
 * in the document already or not. Answers what listens to the keys.
 */
export function useListKeys({ list, count, labelAt, scrollTo }: ListKeysOptions) {
  const wanted = useRef<number | null>(null)
  const typed = useRef({ text: '', at: 0 })
  const [, setWanted] = useState<number>()

  // A row that has to be loaded gets the focus when it is there.
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)
    if (!link) return
    wanted.current = null
    link.focus({ preventScroll: true })
  })

  const beginningWith = (letter: string, at: number, now: number): number | undefined => {
    const isGoingOn = now - typed.current.at < typingPause
    const text = (isGoingOn ? typed.current.text : '') + letter.toLowerCase()
    typed.current = { text, at: now }
    // More letters may still mean the row that the first ones have led to.
    const from = text.length > 1 ? at : at + 1
    for (let step = 0; step < count; step += 1) {
      const index = (from + step) % count
      if (labelAt(index)?.toLowerCase().startsWith(text) === true) return index
    }
    return undefined
  }

  return (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, target, timeStamp } = event
    const at = rowOf(target)
    if (at === null || altKey || ctrlKey || metaKey) return
    const isLetter = [...key].length === 1 && key !== ' '
    const to = steps[key]?.(at, count - 1) ?? (isLetter ? beginningWith(key, at, timeStamp) : undefined)
    if (to === undefined) return
    event.preventDefault()
    wanted.current = to
    scrollTo(to)
    // Where nothing had to be scrolled nothing else would render.
    setWanted(to)
  }
}
