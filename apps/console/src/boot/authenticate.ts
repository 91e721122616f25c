import { ApiError } from '#platform/api-error.ts'
import { identityCalls } from '#platform/identity.ts'
import { endSession, identifySession, session } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'

/**
 * Has the stored token reissued. Only an answer that it is not valid any more clears it; without an answer nobody is
 * signed out, and the step fails.
 */
export async function authenticate(): Promise<void> {
  if (storage.token.read() === null) {
    endSession()
    return
  }
  try {
    const { token, credentials } = await (await identityCalls.load()).reissue()
    storage.token.write(token)
    identifySession(credentials)
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error
    // The call itself ends the session when the token is the stored one.
    if (session.get().status !== 'signed-out') endSession()
  }
}
