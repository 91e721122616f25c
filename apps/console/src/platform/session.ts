import type { Credentials } from '@pult/contract'
import { discardEarlyRequests } from './early-requests.ts'
import { texts } from './platform.texts.ts'
import { openDocument, storage } from './storage.ts'
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

/** Returns whether this page has served another user, whose state its modules still hold. */
export const servedAnotherUser = ({ _id }: Credentials): boolean =>
  lastPersonId !== null && lastPersonId !== _id

/** Sets the user of the stored token. Reloads the page if it has served another user. */
export function identifySession(credentials: Credentials): void {
  if (servedAnotherUser(credentials)) {
    // Forms store their drafts when a session ends.
    session.set({ status: 'signed-out', notice: null })
    void reloadPage()
    return
  }
  lastPersonId = credentials._id
  session.set({ status: 'signed-in', credentials })
}

let isReloading = false

/** The page is reloading for another session, so unsaved input must not delay it. */
export const isPageReloading = () => isReloading

/**
 * Reloads the page, so that no state of one user reaches the next. Drafts stay stored for their user. Never resolves.
 */
export function reloadPage(): Promise<never> {
  isReloading = true
  openDocument()
  return new Promise(() => {})
}

/** Deletes the token and shows the login, with a notice if there is one. */
export function endSession(notice: string | null = null): void {
  discardEarlyRequests()
  storage.token.write(null)
  session.set({ status: 'signed-out', notice })
}

/** Ends the session when the server rejects the stored token. The rejection of an older token is ignored. */
export function handleRejectedToken(token: string): void {
  if (storage.token.read() === token) endSession(texts.sessionEnded)
}
