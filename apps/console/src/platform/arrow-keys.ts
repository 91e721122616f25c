import { type RefObject, useEffect, useRef } from 'react'

/** Marks an element as a stop of the arrow keys: `<button {...arrowStop}>`. */
export const arrowStop = { 'data-arrow-stop': '' } as const

/** `columns` is the number of stops in a row: 1 in a list, more in a grid, where up and down stay in the column. */
const steps: Record<string, (at: number, last: number, columns: number) => number> = {
  ArrowDown: (at, last, columns) => (at + columns > last ? at : at + columns),
  ArrowUp: (at, _last, columns) => (at - columns < 0 ? at : at - columns),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
}

/** Moves the focus with the arrow keys, Home and End through the stops and the search field inside the returned ref. */
export function useArrowKeys<Container extends HTMLElement>(): RefObject<Container | null> {
  const container = useRef<Container>(null)
  useEffect(() => {
    const { current } = container
    current?.addEventListener('keydown', move)
    return () => current?.removeEventListener('keydown', move)
  }, [])
  return container
}

/** Returns the step for a key without modifiers; undefined otherwise. */
export function stepOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  return altKey || ctrlKey || metaKey || shiftKey ? undefined : steps[key]
}

function move(this: HTMLElement, event: KeyboardEvent): void {
  const { key, target } = event
  const step = stepOf(event)
  if (step === undefined || !(target instanceof HTMLElement)) return
  // In a text field the other keys edit the text.
  if (target instanceof HTMLInputElement && !/^Arrow(?:Up|Down)$/.test(key)) return
  const stops = [...this.querySelectorAll<HTMLElement>('[data-arrow-stop], input[type=search]')]
  // From a button beside a stop, the keys start at the stop of its row.
  const row = target.closest('li, tr') ?? target
  const at = stops.findIndex((stop) => row.contains(stop))
  const next = stops[step(at, stops.length - 1, columnsOf(stops))]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

export function columnsOf(stops: readonly HTMLElement[]): number {
  const top = stops[0]?.getBoundingClientRect().top
  const firstOfNextRow = stops.findIndex((stop) => stop.getBoundingClientRect().top !== top)
  return firstOfNextRow === -1 ? stops.length : firstOfNextRow
}
