import { createStore } from './store.ts'

/** A request to open an app as a window. */
export interface WindowWish {
  appId: string
  /** Path below the app's own. Without it an open window keeps its page. */
  path?: string
}

/** Requests that wait for the code of windows, which is not part of the first load. */
export const windowWishes = createStore<readonly WindowWish[]>([])

/** Opens an app as a window, or brings its window to the front. */
export function openInWindow(wish: WindowWish): void {
  windowWishes.set([...windowWishes.get(), wish])
}

/** The apps that are open in a window, minimised ones included. */
export const appsInWindows = createStore<readonly string[]>([])
