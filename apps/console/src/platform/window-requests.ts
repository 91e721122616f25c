import { createStore } from './store.ts'

/** A request to open an app as a window. */
export interface WindowRequest {
  appId: string
  /** Path below the app's own. Without it an open window keeps its page. */
  path?: string
}

/** Requests that wait for the code of windows, which is not part of the first load. */
export const windowRequests = createStore<readonly WindowRequest[]>([])

/** Opens an app as a window, or brings its window to the front. */
export function openInWindow(request: WindowRequest): void {
  windowRequests.set([...windowRequests.get(), request])
}

/** The apps that are open in a window, minimised ones included. */
export const appsInWindows = createStore<readonly string[]>([])
