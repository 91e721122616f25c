import type { Refusal } from '@pult/contract'
import { overlay } from '#platform/overlay.ts'
import { createStore } from '#platform/store.ts'

export interface Wish {
  projectId: string
  /** The roles to choose from; by default all that the project offers. */
  roles?: Refusal['roles']
  /** Only the roles that open this app. */
  app?: string
}

/** What the dialog "Ask for access" is about. */
export const wish = createStore<Wish | null>(null)

/** Opens the dialog "Ask for access". */
export function askForAccess(wanted: Wish): void {
  wish.set(wanted)
  overlay.set('access')
}
