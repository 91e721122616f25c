import { identityCalls } from './identity.ts'
import { texts } from './platform.texts.ts'
import { endSession, identifySession, session } from './session.ts'
import { storage } from './storage.ts'

/**
 * Follows session changes of other tabs. A session that ends there ends here without a reload. When another user
 * signs in there, this page reloads. When the same user does, it takes over the reissued token.
 */
export function followOtherTabs(): void {
  storage.token.onChangeElsewhere((token) => void follow(token))
  // A page in the back-forward cache receives no events.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void follow(storage.token.read())
  })
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

async function follow(token: string | null): Promise<void> {
  const before = session.get()
  if (before.status === 'unknown') return
  if (token === null) {
    if (before.status === 'signed-in') endSession(texts.sessionEnded)
    return
  }
  if (before.status === 'signed-out') return startAnew()
  try {
    const credentials = await (await identityCalls.load()).readMe({ background: true })
    if (session.get() !== before) return
    if (credentials._id === before.credentials._id) return identifySession(credentials)
    // Forms store their drafts when a session ends.
    session.set({ status: 'signed-out', notice: null })
    await startAnew()
  } catch {
    // The next call uses the new token, and reports its failure.
  }
}
