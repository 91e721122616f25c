import { foldCase } from '@pult/contract'
import { isTyped } from '@pult/ui'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Longest pause in milliseconds between keys that form one prefix of a label. */
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

/** Returns the index of the row that contains an element. */
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
 * Returns a key handler for a list: the arrow keys, Home, End and the first letters of a label move the focus between
 * its rows, including rows that are not in the document yet.
 */
export function useListKeys({ list, count, labelAt, scrollTo }: ListKeysOptions) {
  const target = useRef<number | null>(null)
  const typed = useRef({ text: '', at: 0 })
  const [, setTarget] = useState<number>()

  // A row that must be loaded first takes the focus when it is rendered.
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[data-row="${target.current}"]`)
    if (!link) return
    target.current = null
    link.focus({ preventScroll: true })
  })

  const beginningWith = (letter: string, at: number, now: number): number | undefined => {
    const continues = now - typed.current.at < typingPause
    const text = (continues ? typed.current.text : '') + letter
    typed.current = { text, at: now }
    const folded = foldCase(text)
    // With further letters, the focused row may still match.
    const from = text.length > 1 ? at : at + 1
    for (let step = 0; step < count; step += 1) {
      const index = (from + step) % count
      if (foldCase(labelAt(index) ?? '').startsWith(folded)) return index
    }
    return undefined
  }

  return (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    const at = rowOf(event.target)
    if (at === null || altKey || ctrlKey || metaKey) return
    const isLetter = isTyped(key) && key !== ' '
    const to = steps[key]?.(at, count - 1) ?? (isLetter ? beginningWith(key, at, timeStamp) : undefined)
    if (to === undefined) return
    event.preventDefault()
    target.current = to
    scrollTo(to)
    // If the list does not scroll, only this state change renders it.
    setTarget(to)
  }
}
