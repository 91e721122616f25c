import { createDocumentChoice } from './document-choice.ts'

export type Theme = 'light' | 'dark' | 'system'

const choice = createDocumentChoice<Theme>('theme', ['system', 'light', 'dark'])
const listeners = new Set<(chosen: Theme) => void>()

/** The light or dark theme. */
export const theme = {
  get: choice.get,
  subscribe: choice.subscribe,
  choose: (chosen: Theme) => {
    choice.choose(chosen)
    for (const listener of listeners) listener(chosen)
  },
  /** Applies a choice made in another browser. */
  follow: choice.choose,
  /** Subscribes to the user's choices in this tab. Returns the unsubscribe function. */
  onChoose: (listener: (chosen: Theme) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
