import { findWindow, topWindow, windows } from './windows.ts'

/** Where the focus was before a window took it, by app. */
const before = new Map<string, Element | null>()

export const elementOf = (appId: string) =>
  document.querySelector<HTMLElement>(`[data-surface="${CSS.escape(appId)}"]`)

/** The app of the window that an element is in. */
export const surfaceOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-surface]')?.dataset.surface : undefined

/** Takes the focus to a window once it is on screen, and remembers where it was. */
export function focusWindow(appId: string): void {
  const from = document.activeElement
  if (surfaceOf(from) !== appId) before.set(appId, from)
  // A menu that closes gives the focus back first.
  requestAnimationFrame(() => {
    const element = elementOf(appId)
    if (element && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
  })
}

/** After a window has gone the focus is where it was before, else in the nearest window, else on the page. */
export function focusAfter(appId: string): void {
  const from = before.get(appId)
  if (from instanceof HTMLElement && from !== document.body && from.checkVisibility()) {
    before.delete(appId)
    from.focus()
  } else {
    focusNearest(appId)
  }
}

/** The same where one cannot go back: the tile of an app that was taken away goes a moment after its window. */
export function focusNearest(appId: string): void {
  before.delete(appId)
  // Those whose app was taken away are open still, for the case that it comes back.
  const top = topWindow(windows.get().filter((window) => elementOf(window.appId) !== null))
  if (top) elementOf(top.appId)?.focus({ preventScroll: true })
  else focusPage()
}

export const focusPage = () => document.getElementById('content')?.focus({ preventScroll: true })

/** The page and the windows that are seen, one after the other and round again. */
export function focusNext(from: EventTarget | null, step: 1 | -1): void {
  const ids = windows.get().flatMap(({ appId, isMinimised }) => (isMinimised ? [] : [appId]))
  const places = [undefined, ...ids.filter((appId) => elementOf(appId) !== null)]
  const at = places.indexOf(surfaceOf(from))
  const next = places[(at + step + places.length) % places.length]
  if (next === undefined) focusPage()
  else if (findWindow(next)) elementOf(next)?.focus({ preventScroll: true })
}
