import { storage } from '#platform/storage.ts'
import type { Point, Size, WindowState } from './window-geometry.ts'

/** What the browser keeps of the window of an app. */
export interface RememberedWindow {
  position: Point
  size: Size
  state: WindowState
  isMinimised: boolean
  isOpen: boolean
  /** The page of the app, below its address. */
  path: string
  /** Higher is nearer. */
  order: number
}

/** By app. */
export type RememberedWindows = Record<string, RememberedWindow>

/** Root apps have no project: their windows stay when the project changes. */
export const placeOf = (personId: string, projectId: string | null) => `${personId} ${projectId ?? 'root'}`

/** The windows of a person in a project. What does not read as a window is not there. */
export function readWindows(place: string): RememberedWindows {
  const windows = readAll()[place]
  if (!isObject(windows)) return {}
  return Object.fromEntries(Object.entries(windows).filter(isRemembered))
}

export function writeWindows(place: string, windows: RememberedWindows): void {
  storage.windowConfig.write(JSON.stringify({ ...readAll(), [place]: windows }))
}

function readAll(): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(storage.windowConfig.read() ?? '{}')
    return isObject(stored) ? stored : {}
  } catch {
    return {}
  }
}

const states: unknown[] = ['free', 'maximised', 'left', 'right'] satisfies WindowState[]

function isRemembered(entry: [string, unknown]): entry is [string, RememberedWindow] {
  const [, window] = entry
  if (!isObject(window)) return false
  const { position, size, state, isMinimised, isOpen, path, order } = window
  return (
    isObject(position) &&
    isObject(size) &&
    [position.x, position.y, size.width, size.height, order].every(Number.isFinite) &&
    states.includes(state) &&
    typeof isMinimised === 'boolean' &&
    typeof isOpen === 'boolean' &&
    typeof path === 'string'
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
