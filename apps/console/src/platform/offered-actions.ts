import type { OfferedAction } from '@pult/sdk/host'
import { createStore } from './store.ts'

/** What the apps on screen offer in the command palette. */
export const offeredActions = createStore<readonly OfferedAction[]>([])

/** Until the answered function is called. */
export function offerAction(action: OfferedAction): () => void {
  offeredActions.set([...offeredActions.get(), action])
  return () => offeredActions.set(offeredActions.get().filter((other) => other !== action))
}
