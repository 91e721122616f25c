import { createStore } from '#platform/store.ts'

/** The layers below the buttons of the frame. At most one is open. */
export type FrameLayer = 'apps' | 'projects' | 'account'

export const frameLayer = createStore<FrameLayer | null>(null)
