import type { EdgeServerMessage } from '@pult/contract'
import type { Mark } from './deck-feedback.ts'

export type DeskPage = Extract<EdgeServerMessage, { type: 'desk' }>

/** A press that is sent to the server. */
export interface Asked {
  serial: string
  page: number
  key: number
  isHeld: boolean
}

interface DeckKeysParts {
  serial: string
  /** Resolves to whether the server has run the action. */
  ask: (asked: Asked) => Promise<boolean>
  /** Draws the shown page. */
  draw: () => void
  /** Draws a key of the shown page with a mark, or without one. */
  mark: (key: number, mark: Mark | null) => void
}

/** Milliseconds after which a pressed key counts as held, and for which its outcome is shown. */
const heldAfter = 500
const outcomeFor = 1000

/** Handles the keys of one deck: their pages and presses. */
export function createDeckKeys({ serial, ask, draw, mark }: DeckKeysParts) {
  const pages = new Map<number, DeskPage>()
  let shown = 0
  /** Keys that are down and may still become held. */
  const down = new Map<number, NodeJS.Timeout>()
  /** Keys that show a mark, by page and key, with the timer that removes an outcome. */
  const marks = new Map<string, { mark: Mark; timer?: NodeJS.Timeout }>()

  const moveOf = (key: number) => pages.get(shown)?.keys.find((one) => one.key === key)

  async function run(key: number, isHeld: boolean): Promise<void> {
    const known = moveOf(key)
    const move = isHeld ? known?.hold : known?.press
    if (move === null || move === undefined) return
    if (move !== 'ask') {
      if (!pages.has(move.page) || move.page === shown) return
      shown = move.page
      return draw()
    }
    const page = shown
    const place = `${page}/${key}`
    const earlier = marks.get(place)
    // A second press does nothing while the server still handles the first one.
    if (earlier?.mark === 'busy') return
    clearTimeout(earlier?.timer)
    const show = (next: Mark | null) => {
      if (shown === page) mark(key, next)
    }
    marks.set(place, { mark: 'busy' })
    show('busy')
    const isDone = await ask({ serial, page, key, isHeld }).catch(() => false)
    const outcome = isDone ? 'done' : 'refused'
    show(outcome)
    const timer = setTimeout(() => {
      marks.delete(place)
      show(null)
    }, outcomeFor).unref()
    marks.set(place, { mark: outcome, timer })
  }

  return {
    /** Stores a page of the server. A page that no longer exists there is removed, and page 1 is shown instead. */
    take(next: DeskPage): void {
      for (const page of pages.keys()) if (page >= next.pages) pages.delete(page)
      pages.set(next.page, next)
      if (!pages.has(shown)) shown = 0
      if (next.page === shown) draw()
    },

    /** The picture of the shown page; null if the picture of the deck applies. */
    picture: () => pages.get(shown)?.picture ?? null,

    /** Draws the marks of the shown page over its picture. */
    drawMarks(): void {
      for (const [place, { mark: shownMark }] of marks) {
        const [page, key = 0] = place.split('/').map(Number)
        if (page === shown) mark(key, shownMark)
      }
    },

    press(key: number): void {
      const known = moveOf(key)
      if (known === undefined || down.has(key)) return
      // A key without a hold action acts immediately.
      if (known.hold === null) return void run(key, false)
      const timer = setTimeout(() => {
        down.delete(key)
        void run(key, true)
      }, heldAfter)
      down.set(key, timer)
    },

    release(key: number): void {
      const timer = down.get(key)
      if (timer === undefined) return
      clearTimeout(timer)
      down.delete(key)
      void run(key, false)
    },

    /** Discards keys that were down when the deck was unplugged, so that none of them acts, and shown outcomes. */
    unplug(): void {
      for (const timer of down.values()) clearTimeout(timer)
      down.clear()
      for (const [place, { timer }] of marks)
        if (timer !== undefined) {
          clearTimeout(timer)
          marks.delete(place)
        }
    },
  }
}
export type DeckKeys = ReturnType<typeof createDeckKeys>
