import { createStore } from './store.ts'

/** What lies over everything and was asked for by a key or a button. */
export type Overlay = 'palette' | 'shortcuts'

/** Which of them is open. Their code is not part of the first load. */
export const overlay = createStore<Overlay | null>(null)
