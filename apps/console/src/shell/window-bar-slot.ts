import { createStore } from '#platform/store.ts'

/** The header element for the bar of open windows, whose code is not part of the first load. */
export const windowBarSlot = createStore<HTMLElement | null>(null)
