import { createContext, use } from 'react'
import type { App } from '../extensions/registry.ts'
import type { Size } from './window-geometry.ts'
import type { AppWindow } from './windows.ts'

/** What the parts of a window know of it. */
export interface WindowParts {
  app: App
  window: AppWindow
  title: string
  area: Size
  /** A phone has no room for windows: each fills the width, one at a time. */
  isSheet: boolean
  /** Not what the app is in; asks first when something is not saved. */
  openAsPage: () => void
  close: () => void
  minimise: () => void
}

const WindowContext = createContext<WindowParts | null>(null)

export const WindowProvider = WindowContext.Provider

export function useWindow(): WindowParts {
  const parts = use(WindowContext)
  if (parts === null) throw new Error('Not in a window')
  return parts
}
