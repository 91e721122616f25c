import type { OfferedAction } from '@pult/sdk/host'
import { createStore } from './store.ts'
import { usableAction } from './usable-values.ts'

/** The actions that mounted apps offer in the command palette. */
export const offeredActions = createStore<readonly OfferedAction[]>([])

/** Offers actions until the returned function is called. */
export function offerAction(offered: OfferedAction): () => void {
  const action = usableAction(offered)
  offeredActions.set([...offeredActions.get(), action])
  return () => offeredActions.set(offeredActions.get().filter((other) => other !== action))
}
