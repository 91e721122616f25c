import { findWindow, topWindow, windows } from './windows.ts'

/** The element that had the focus before a window took it, by app. */
const before = new Map<string, Element | null>()

export const elementOf = (appId: string) =>
  document.querySelector<HTMLElement>(`[data-surface="${CSS.escape(appId)}"]`)

/** Returns the app of the window that contains an element. */
export const surfaceOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-surface]')?.dataset.surface : undefined

/** Moves the focus to a window once it is on screen, and remembers its previous place. */
export function focusWindow(appId: string): void {
  const from = document.activeElement
  if (surfaceOf(from) !== appId) before.set(appId, from)
  // A closing menu first restores its own focus.
  requestAnimationFrame(() => {
    const element = elementOf(appId)
    if (element && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
  })
}

/** After a window has closed, restores the focus to its previous place, else to the top window, else to the page. */
export function focusAfter(appId: string): void {
  const from = before.get(appId)
  if (from instanceof HTMLElement && from !== document.body && from.checkVisibility()) {
    before.delete(appId)
    from.focus()
  } else {
    focusNearest(appId)
  }
}

/**
 * Moves the focus to the top window or the page, not back to the tile: the tile of a removed app disappears shortly
 * after its window.
 */
export function focusNearest(appId: string): void {
  before.delete(appId)
  // Windows of removed apps remain in the store, in case the app returns.
  const top = topWindow(windows.get().filter((window) => elementOf(window.appId) !== null))
  if (top) elementOf(top.appId)?.focus({ preventScroll: true })
  else focusPage()
}

const focusPage = () => document.getElementById('content')?.focus({ preventScroll: true })

/** Moves the focus through the page and the visible windows in a cycle. */
export function focusNext(from: EventTarget | null, step: 1 | -1): void {
  const ids = windows.get().flatMap(({ appId, isMinimised }) => (isMinimised ? [] : [appId]))
  const places = [undefined, ...ids.filter((appId) => elementOf(appId) !== null)]
  const at = places.indexOf(surfaceOf(from))
  const next = places[(at + step + places.length) % places.length]
  if (next === undefined) focusPage()
  else if (findWindow(next)) elementOf(next)?.focus({ preventScroll: true })
}
