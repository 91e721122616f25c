import { storage } from '#platform/storage.ts'
import type { Point, Size, WindowState } from './window-geometry.ts'

/** The stored state of an app's window. */
interface RememberedWindow {
  position: Point
  size: Size
  state: WindowState
  isMinimised: boolean
  isOpen: boolean
  /** The app's page, below its path. */
  path: string
  /** A higher value is closer to the front. */
  order: number
}

/** By app. */
export type RememberedWindows = Record<string, RememberedWindow>

/** Root apps have no project, so their windows stay when the project changes. */
export const placeOf = (personId: string, projectId: string | null) => `${personId} ${projectId ?? 'root'}`

/** Returns a user's windows in a project. Invalid entries are ignored. */
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
