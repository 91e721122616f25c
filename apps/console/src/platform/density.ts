import { storage } from './storage.ts'
import { createStore } from './store.ts'

export type Density = 'comfortable' | 'compact'

const parse = (stored: string | null): Density => (stored === 'compact' ? 'compact' : 'comfortable')

const current = createStore<Density>(parse(storage.density.read()))
storage.density.onChangeElsewhere((stored) => show(parse(stored)))

function show(chosen: Density): void {
  if (chosen === 'compact') document.documentElement.dataset['density'] = chosen
  else delete document.documentElement.dataset['density']
  current.set(chosen)
}

/** How much room controls and rows take, kept in the browser and shared by its tabs. */
export const density = {
  get: current.get,
  subscribe: current.subscribe,
  choose: (chosen: Density) => {
    storage.density.write(chosen === 'compact' ? chosen : null)
    show(chosen)
  },
}
