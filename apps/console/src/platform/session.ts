import type { Credentials } from '@pult/contract'
import { forgetHeadStart } from './head-start.ts'
import { texts } from './platform.texts.ts'
import { storage } from './storage.ts'
import { createStore } from './store.ts'

export type Session =
  /** A token may be stored, whose it is has not been answered yet. */
  | { status: 'unknown' }
  | { status: 'signed-in'; credentials: Credentials }
  | { status: 'signed-out'; notice: string | null }

/** Who is signed in. The token itself stands in the browser's storage alone and is read from there at each call. */
export const session = createStore<Session>({ status: 'unknown' })

/** A new token was issued; whose it is comes next. */
export function beginSession(token: string): void {
  storage.token.write(token)
  session.set({ status: 'unknown' })
}

export function identifySession(credentials: Credentials): void {
  storage.isRoot.write(credentials.isRoot ? 'yes' : null)
  session.set({ status: 'signed-in', credentials })
}

/** How many sessions have ended since the page was opened. */
export let sessionsEnded = 0

/** Forgets the token; the console shows the login, with the notice when there is one. */
export function endSession(notice: string | null = null): void {
  forgetHeadStart()
  storage.token.write(null)
  storage.isRoot.write(null)
  sessionsEnded += 1
  session.set({ status: 'signed-out', notice })
}

/** The server refused a token. Older than the stored one, it says nothing about the session. */
export function tokenWasRefused(token: string): void {
  if (storage.token.read() === token) endSession(texts.sessionEnded)
}
