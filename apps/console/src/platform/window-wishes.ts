import { createStore } from './store.ts'

/** An app that is to be a window. */
export interface WindowWish {
  appId: string
  /** Below the app's own address. Without it a window that is there stays where it is. */
  path?: string
}

/** Wishes that nobody has fulfilled yet: the code of windows is not part of the first load. */
export const windowWishes = createStore<readonly WindowWish[]>([])

/** Opens an app as a window, or brings its window to the front. */
export function openInWindow(wish: WindowWish): void {
  windowWishes.set([...windowWishes.get(), wish])
}
