import { isBehindDialog } from '#platform/is-behind-dialog.ts'
import { createStore } from '#platform/store.ts'
import { focusNext, surfaceOf } from './window-focus.ts'
import { type Rect, reachable, resized, type Size, seenRect, type WindowState } from './window-geometry.ts'
import { changeWindow, findWindow, windows } from './windows.ts'

/** The window that the arrow keys move or resize. */
export interface Handling {
  appId: string
  kind: 'move' | 'resize'
  /** The position that Esc restores. */
  before: { free: Rect; state: WindowState }
}

export const handling = createStore<Handling | null>(null)

/** Ends move mode, so that the focused element receives the arrow keys again. */
export const endHandling = () => handling.set(null)

// Move mode ends when its window is closed or minimised.
windows.subscribe(() => {
  const window = findWindow(handling.get()?.appId ?? '')
  if (window === undefined || window.isMinimised) endHandling()
})

const step = 24

/** Makes the arrow keys move or resize the window. */
export function handleByKeys(appId: string, kind: Handling['kind'], area: Size): void {
  const window = findWindow(appId)
  if (window === undefined) return
  const { free, state } = window
  handling.set({ appId, kind, before: { free, state } })
  changeWindow(appId, { free: seenRect(free, state, area), state: 'free' })
}

interface WindowKeys {
  area: () => Size
  isSheet: () => boolean
  close: (appId: string) => void
  minimise: (appId: string) => void
}

/** Handles the keys of windows. Apps and their components handle a key first and prevent its default. */
export function listenToKeys(keys: WindowKeys): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isBehindDialog()) return
    if (run(event, keys)) event.preventDefault()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

/** Returns whether a window handled the key. */
function run(event: KeyboardEvent, keys: WindowKeys): boolean {
  if (event.key === 'F6') {
    focusNext(event.target, event.shiftKey ? -1 : 1)
    return true
  }
  const appId = surfaceOf(event.target)
  if (appId === undefined) return false
  if (handling.get()?.appId === appId) return handle(event, keys.area())
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
  if (event.key === 'Escape' && isPlain && !emptiesItself(event.target)) {
    keys.close(appId)
    return true
  }
  if (event.ctrlKey === event.metaKey || !event.altKey || event.shiftKey || keys.isSheet()) return false
  return snap(appId, event.key, keys)
}

/** Browsers empty a search field on Esc. */
const emptiesItself = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== ''

function snap(appId: string, key: string, { minimise }: WindowKeys): boolean {
  const state = findWindow(appId)?.state
  if (key === 'ArrowLeft') changeWindow(appId, { state: state === 'right' ? 'free' : 'left' })
  else if (key === 'ArrowRight') changeWindow(appId, { state: state === 'left' ? 'free' : 'right' })
  else if (key === 'ArrowUp') changeWindow(appId, { state: 'maximised' })
  else if (key !== 'ArrowDown') return false
  else if (state === 'free') minimise(appId)
  else changeWindow(appId, { state: 'free' })
  return true
}

const directions: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

function handle({ key, shiftKey }: KeyboardEvent, area: Size): boolean {
  const now = handling.get()
  if (now === null) return false
  const { appId, kind, before } = now
  if (key === 'Enter' || key === 'Escape') {
    endHandling()
    if (key === 'Escape') changeWindow(appId, before)
    return true
  }
  const direction = directions[key]
  const free = findWindow(appId)?.free
  if (direction === undefined || free === undefined) return false
  const by = { x: direction.x * (shiftKey ? 1 : step), y: direction.y * (shiftKey ? 1 : step) }
  const next =
    kind === 'move'
      ? { ...free, x: free.x + by.x, y: free.y + by.y }
      : resized(free, { x: 1, y: 1 }, by, area)
  changeWindow(appId, { free: reachable(next, area) })
  return true
}
