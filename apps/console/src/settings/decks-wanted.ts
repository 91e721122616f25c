import { createStore } from '#platform/store.ts'

/** True once this machine's decks are needed. From then on they are driven on every page. */
export const decksWanted = createStore(false)
