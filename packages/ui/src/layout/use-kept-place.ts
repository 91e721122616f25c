import { useState } from 'react'

/** Where a user has left a list: its scroll position in pixels, and the row that takes the focus. */
interface Place {
  top: number
  row: string | null
}

/** The least recently changed place comes first. */
const places = new Map<string, Place>()
const placesMost = 200

/** Identifies the entry of the history that is open. Routers give each one a key. */
function entry(): string {
  const { key } = (history.state ?? {}) as { key?: string }
  return `${key ?? ''} ${location.pathname}${location.search}`
}

/**
 * Keeps the place of a list that scrolls in its own box for its entry of the history, so that Back returns to it. The
 * browser restores only the place of the document.
 */
export function useKeptPlace(name: string): { left: Place; leave: (place: Partial<Place>) => void } {
  const [left] = useState((): Place => places.get(`${entry()} ${name}`) ?? { top: 0, row: null })
  const [leave] = useState(() => (place: Partial<Place>) => {
    const here = `${entry()} ${name}`
    const before = places.get(here) ?? { top: 0, row: null }
    places.delete(here)
    places.set(here, { ...before, ...place })
    const [oldest] = places.keys()
    if (places.size > placesMost && oldest !== undefined) places.delete(oldest)
  })
  return { left, leave }
}
