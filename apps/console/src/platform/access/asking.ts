import type { Refusal } from '@pult/contract'
import { overlay } from '#platform/overlay.ts'
import { createStore } from '#platform/store.ts'

export interface AccessSubject {
  projectId: string
  /** The roles to choose from; by default all that the project offers. */
  roles?: Refusal['roles']
  /** Limits the roles to those that open this app. */
  app?: string
}

/** The subject of the dialog "Ask for access". */
export const accessSubject = createStore<AccessSubject | null>(null)

/** Opens the dialog "Ask for access". */
export function askForAccess(subject: AccessSubject): void {
  accessSubject.set(subject)
  overlay.set('access')
}
