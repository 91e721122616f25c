import { identityCalls } from './identity.ts'
import { texts } from './platform.texts.ts'
import { endSession, identifySession, reloadPage, session } from './session.ts'
import { storage } from './storage.ts'

/** Pause before the user of the token is read again. Milliseconds. */
const retryAfter = 5000

const isSignedIn = () => session.get().status === 'signed-in'

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

async function follow(token: string | null): Promise<void> {
  const before = session.get()
  if (before.status === 'unknown') return
  if (token === null) {
    if (before.status === 'signed-in') endSession(texts.sessionEnded)
    return
  }
  if (before.status === 'signed-out') return reloadPage()
  try {
    const credentials = await (await identityCalls.load()).readMe({ background: true })
    if (isSignedIn()) identifySession(credentials)
  } catch {
    // Every call already uses the new token, so the page must not remain that of another user.
    if (isSignedIn() && storage.token.read() === token) setTimeout(() => void follow(token), retryAfter)
  }
}
