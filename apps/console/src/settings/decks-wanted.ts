import { createStore } from '#platform/store.ts'

/** Somebody asks for the decks that are attached to this machine: they are driven from then on, on every page. */
export const decksWanted = createStore(false)
