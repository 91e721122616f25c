import { ApiError } from '#platform/api-error.ts'
import { keepHeadStartOf } from '#platform/head-start.ts'
import { identityCalls } from '#platform/identity.ts'
import { endSession, identifySession, session } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'

/**
 * Reissues the stored token. Only an answer that it is invalid clears it; without an answer the user stays signed in and
 * the step fails.
 */
export async function authenticate(): Promise<void> {
  const asked = storage.token.read()
  if (asked === null) {
    endSession()
    return
  }
  keepHeadStartOf(asked)
  try {
    const { token, credentials } = await (await identityCalls.load()).reissue()
    // Another tab has signed in or out meanwhile.
    if (storage.token.read() !== asked) return await authenticate()
    storage.token.write(token)
    identifySession(credentials)
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error
    const stored = storage.token.read()
    if (stored !== null && stored !== asked) return authenticate()
    // `api` ends the session itself when it refuses the stored token.
    if (session.get().status !== 'signed-out') endSession()
  }
}
