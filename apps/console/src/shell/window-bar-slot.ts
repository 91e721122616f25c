import { createStore } from '#platform/store.ts'

/** Where in the header the bar of the open windows goes, whose code is not part of the first load. */
export const windowBarSlot = createStore<HTMLElement | null>(null)
