import { createContext, use } from 'react'
import type { App } from '../extensions/registry.ts'
import type { Size } from './window-geometry.ts'
import type { AppWindow } from './windows.ts'

/** The window's data and actions for its parts. */
export interface WindowParts {
  app: App
  window: AppWindow
  title: string
  area: Size
  /** True on a phone, where each window fills the width, one at a time. */
  isSheet: boolean
  /** Opens the app as a page, without its state. Asks first if it has unsaved input. */
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
