import type { AppManifest } from '@pult/contract'
import { createStore } from '#platform/store.ts'
import { createUnsavedInput, type UnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { appsInWindows } from '#platform/window-requests.ts'
import { newRect, newSize, type Rect, type Size, seenRect, type WindowState } from './window-geometry.ts'
import { type RememberedWindows, readWindows, writeWindows } from './window-memory.ts'

/** The window of an app. An app has at most one. */
export interface AppWindow {
  appId: string
  /** Its user and project, under which the browser stores it. */
  place: string
  /** Its position and size when it is neither maximised nor snapped. */
  free: Rect
  state: WindowState
  isMinimised: boolean
  path: string
  order: number
  input: UnsavedInput
}

export type WindowChange = Partial<Pick<AppWindow, 'free' | 'state' | 'isMinimised' | 'path'>>

/** The open windows, in opening order. */
export const windows = createStore<readonly AppWindow[]>([])

windows.subscribe(() => appsInWindows.set(windows.get().map(({ appId }) => appId)))

export const findWindow = (appId: string): AppWindow | undefined =>
  windows.get().find((window) => window.appId === appId)

/** The topmost one that is not minimised. */
export const topWindow = (shown: readonly AppWindow[]): AppWindow | undefined =>
  shown.filter(({ isMinimised }) => !isMinimised).toSorted((a, b) => b.order - a.order)[0]

const topOrder = () => Math.max(0, ...windows.get().map(({ order }) => order))

/** Opens the stored windows of a user and project. */
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

/** Opens the window of an app at its last position and page, or raises the open one. */
export function openWindow(
  { id: appId, windowSize = newSize }: Pick<AppManifest, 'id' | 'windowSize'>,
  place: string,
  path: string | undefined,
  area: Size,
): void {
  if (findWindow(appId) !== undefined) {
    raiseWindow(appId)
    return
  }
  const before = readWindows(place)[appId]
  const shown = windows
    .get()
    .filter(({ isMinimised }) => !isMinimised)
    .toSorted((a, b) => a.order - b.order)
    .map(({ free, state }) => seenRect(free, state, area))
  const window: AppWindow = {
    appId,
    place,
    free: before ? { ...before.position, ...before.size } : newRect(windowSize, shown, area),
    state: before?.state ?? 'free',
    isMinimised: false,
    path: path ?? before?.path ?? '',
    order: topOrder() + 1,
    input: createUnsavedInput(),
  }
  windows.set([...windows.get(), window])
  remember(window, true)
}

/** Raises a window, and restores it if it is minimised. */
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

/** Closes a window. Its position and page are stored. */
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
