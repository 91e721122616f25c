import type { Credentials } from '@pult/contract'
import { forgetHeadStart } from './head-start.ts'
import { texts } from './platform.texts.ts'
import { storage } from './storage.ts'
import { createStore } from './store.ts'

export type Session =
  /** A token may be stored, but the server has not confirmed its user yet. */
  | { status: 'unknown' }
  | { status: 'signed-in'; credentials: Credentials }
  | { status: 'signed-out'; notice: string | null }

/** The signed-in user. The token itself is stored only in the browser's storage, and each call reads it from there. */
export const session = createStore<Session>({ status: 'unknown' })

/** Stores a new token. The credentials follow with `identifySession`. */
export function beginSession(token: string): void {
  storage.token.write(token)
  session.set({ status: 'unknown' })
}

let lastPersonId: string | null = null

/** Returns whether this page has served another user before, whose state its modules still hold. */
export const wasOfAnother = ({ _id }: Credentials): boolean => lastPersonId !== null && lastPersonId !== _id

/** Identifies the user of the stored token. Another user than before gets a new page. */
export function identifySession(credentials: Credentials): void {
  if (wasOfAnother(credentials)) {
    // Forms store their drafts when a session ends.
    session.set({ status: 'signed-out', notice: null })
    void startAnew()
    return
  }
  lastPersonId = credentials._id
  session.set({ status: 'signed-in', credentials })
}

let isLeaving = false

/** The page is reloading for another session, so unsaved input must not delay it. */
export const isStartingAnew = () => isLeaving

/** Reloads the page, so that no state of one user reaches the next. Drafts stay stored for their user. */
export function startAnew(): Promise<never> {
  isLeaving = true
  location.reload()
  return new Promise(() => {})
}

/** Deletes the token and shows the login, with a notice if there is one. */
export function endSession(notice: string | null = null): void {
  forgetHeadStart()
  storage.token.write(null)
  session.set({ status: 'signed-out', notice })
}

/** Ends the session when the server rejects the stored token. The rejection of an older token is ignored. */
export function tokenWasRefused(token: string): void {
  if (storage.token.read() === token) endSession(texts.sessionEnded)
}
