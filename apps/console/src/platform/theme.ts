import { storage } from './storage.ts'
import { createStore } from './store.ts'

export type Theme = 'light' | 'dark' | 'system'

function parse(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const current = createStore<Theme>(parse(storage.theme.read()))
storage.theme.onChangeElsewhere((stored) => show(parse(stored)))

function show(chosen: Theme): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  current.set(chosen)
}

const listeners = new Set<(chosen: Theme) => void>()

/** Whether the console is light or dark, kept in the browser and shared by its tabs. */
export const theme = {
  get: current.get,
  subscribe: current.subscribe,
  choose: (chosen: Theme) => {
    theme.follow(chosen)
    for (const listener of listeners) listener(chosen)
  },
  /** As it was chosen in another browser. */
  follow: (chosen: Theme) => {
    storage.theme.write(chosen === 'system' ? null : chosen)
    show(chosen)
  },
  /** Hears what the person chooses here. Returns how to stop listening. */
  onChoose: (listener: (chosen: Theme) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
