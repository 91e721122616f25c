import { createStore } from '#platform/store.ts'

/** True once the console uses this machine's decks. From then on they work on every page. */
export const decksInUse = createStore(false)
