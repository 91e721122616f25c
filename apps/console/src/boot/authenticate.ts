import { ApiError } from '#platform/api-error.ts'
import { keepEarlyRequestsOf } from '#platform/early-requests.ts'
import { isOfProxy } from '#platform/foreign-answer.ts'
import { identityCalls } from '#platform/identity.ts'
import { endSession, identifySession, session } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'

/**
 * Reissues the stored token. Deletes it only if the server rejects it. Without a response the user stays signed in and
 * the step fails.
 */
export async function authenticate(): Promise<void> {
  const asked = storage.token.read()
  if (asked === null) {
    endSession()
    return
  }
  keepEarlyRequestsOf(asked)
  try {
    const { token, credentials } = await (await identityCalls.load()).reissue()
    // Another tab has signed in or out meanwhile.
    if (storage.token.read() !== asked) return await authenticate()
    storage.token.write(token)
    identifySession(credentials)
  } catch (error) {
    const isRejected = error instanceof ApiError && (error.status === 401 || error.status === 403)
    if (!isRejected || isOfProxy(error)) throw error
    const stored = storage.token.read()
    if (stored !== null && stored !== asked) return authenticate()
    // `api` has already ended the session if the server rejected the stored token.
    if (session.get().status !== 'signed-out') endSession()
  }
}
