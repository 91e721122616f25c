import { sessionEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { endSession } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'
import { texts } from './shell.texts.ts'

/** Whoever wants to leave does not wait longer than this for a server that does not answer. */
const patience = 5000

/**
 * Ends the session on the server and here, and starts the page anew. Without an answer the page stays, because it could
 * not be loaded either; the login then says that the server does not know yet.
 */
export async function logOut(): Promise<void> {
  try {
    await api(sessionEndpoints.logout, { signal: AbortSignal.timeout(patience) })
  } catch (error) {
    const alreadyEnded = error instanceof ApiError && error.code === 'UNAUTHENTICATED'
    if (!alreadyEnded) {
      endSession(texts.signedOutHereOnly)
      return
    }
  }
  storage.token.write(null)
  location.reload()
}
