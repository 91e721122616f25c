import type { OfferedAction } from '@pult/sdk/host'
import { createStore } from './store.ts'

/** The actions that mounted apps offer in the command palette. */
export const offeredActions = createStore<readonly OfferedAction[]>([])

/** Offers actions until the returned function is called. */
export function offerAction(action: OfferedAction): () => void {
  offeredActions.set([...offeredActions.get(), action])
  return () => offeredActions.set(offeredActions.get().filter((other) => other !== action))
}
