import { identityCalls } from './identity.ts'
import { identifySession, session } from './session.ts'
import { storage } from './storage.ts'

/**
 * Follows what other tabs do to the session. Signing out there, or in as somebody else, starts this page anew; a token
 * that was merely reissued is taken over.
 */
export function followOtherTabs(): void {
  storage.token.onChangeElsewhere((token) => void follow(token))
  // A page that comes back from the back-forward cache has heard nothing meanwhile.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void follow(storage.token.read())
  })
}

let isLeaving = false

/** This page is on its way out, because it is of a session that is over: nothing may hold it back. */
export const isStartingAnew = () => isLeaving

function startAnew(): void {
  isLeaving = true
  location.reload()
}

async function follow(token: string | null): Promise<void> {
  const before = session.get()
  if (before.status === 'unknown') return
  if (token === null || before.status === 'signed-out') {
    if (token !== null || before.status === 'signed-in') startAnew()
    return
  }
  try {
    const credentials = await (await identityCalls.load()).readMe({ background: true })
    if (credentials._id !== before.credentials._id) startAnew()
    else if (session.get() === before) identifySession(credentials)
  } catch {
    // The next call uses the new token anyway, and tells.
  }
}
