import { createStore } from './store.ts'

/** The overlays that cover the whole page and open by a key or a button. */
export type Overlay = 'palette' | 'shortcuts' | 'logout' | 'project' | 'access'

/** The open overlay. Their code is not part of the first load. */
export const overlay = createStore<Overlay | null>(null)
