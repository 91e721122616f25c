import { createStore } from '#platform/store.ts'
import { createUnsavedInput, type UnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { newRect, type Rect, type Size, type WindowState } from './window-geometry.ts'
import { type RememberedWindows, readWindows, writeWindows } from './window-memory.ts'

/** The window of an app. An app has one at most. */
export interface AppWindow {
  appId: string
  /** Whose it is and of which project: where it is remembered. */
  place: string
  /** Where it stands when it fills neither the work area nor a half of it. */
  free: Rect
  state: WindowState
  isMinimised: boolean
  path: string
  order: number
  input: UnsavedInput
}

export type WindowChange = Partial<Pick<AppWindow, 'free' | 'state' | 'isMinimised' | 'path'>>

/** The windows that are open, in the order in which they were opened. */
export const windows = createStore<readonly AppWindow[]>([])

export const findWindow = (appId: string): AppWindow | undefined =>
  windows.get().find((window) => window.appId === appId)

/** The nearest one that is not minimised. */
export const topWindow = (shown: readonly AppWindow[]): AppWindow | undefined =>
  shown.filter(({ isMinimised }) => !isMinimised).toSorted((a, b) => b.order - a.order)[0]

const topOrder = () => Math.max(0, ...windows.get().map(({ order }) => order))

/** Brings back what was open in a place. */
export function restoreWindows(place: string): void {
  const remembered = Object.entries(readWindows(place)).filter(([, { isOpen }]) => isOpen)
  const missing = remembered.filter(([appId]) => findWindow(appId) === undefined)
  if (missing.length === 0) return
  windows.set([
    ...windows.get(),
    ...missing.map(([appId, { position, size, state, isMinimised, path, order }]) => ({
      appId,
      place,
      state,
      isMinimised,
      path,
      order,
      free: { ...position, ...size },
      input: createUnsavedInput(),
    })),
  ])
}

/** Opens the window of an app where it was the last time, or brings the open one to the front. */
export function openWindow(appId: string, place: string, path: string | undefined, area: Size): void {
  if (findWindow(appId) !== undefined) {
    raiseWindow(appId)
    return
  }
  const before = readWindows(place)[appId]
  const window: AppWindow = {
    appId,
    place,
    free: before ? { ...before.position, ...before.size } : newRect(windows.get().length, area),
    state: before?.state ?? 'free',
    isMinimised: false,
    path: path ?? '',
    order: topOrder() + 1,
    input: createUnsavedInput(),
  }
  windows.set([...windows.get(), window])
  remember(window, true)
}

/** To the front, from wherever it is. */
export function raiseWindow(appId: string): void {
  const window = findWindow(appId)
  if (window === undefined) return
  if (!window.isMinimised && window.order === topOrder()) return
  replace({ ...window, isMinimised: false, order: topOrder() + 1 })
}

export function changeWindow(appId: string, change: WindowChange): void {
  const window = findWindow(appId)
  if (window !== undefined) replace({ ...window, ...change })
}

/** Its place is kept for the next time. */
export function closeWindow(appId: string): void {
  const window = findWindow(appId)
  if (window === undefined) return
  windows.set(windows.get().filter((other) => other !== window))
  remember(window, false)
}

function replace(changed: AppWindow): void {
  windows.set(windows.get().map((window) => (window.appId === changed.appId ? changed : window)))
  remember(changed, true)
}

function remember({ appId, place, free, state, isMinimised, path, order }: AppWindow, isOpen: boolean): void {
  const { x, y, width, height } = free
  const kept: RememberedWindows[string] = {
    position: { x, y },
    size: { width, height },
    state,
    isMinimised,
    isOpen,
    path,
    order,
  }
  writeWindows(place, { ...readWindows(place), [appId]: kept })
}
