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

export function identifySession(credentials: Credentials): void {
  lastPersonId = credentials._id
  session.set({ status: 'signed-in', credentials })
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
