import { sessionEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import { overlay } from '#platform/overlay.ts'
import { endSession } from '#platform/session.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { forgetUploads } from '#platform/unfinished-uploads.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { texts } from './shell.texts.ts'

/** Timeout of the server's response, in milliseconds. */
const logoutTimeout = 5000

/** Logs out. Asks first if that would discard unsaved input. */
export async function logOut(): Promise<void> {
  if (hasUnsavedInput()) overlay.set('logout')
  else await logOutNow()
}

/**
 * Ends the session on the server and in this browser, then reloads the page. If the server does not answer, the page
 * stays, because it could not reload either. The login then reports this.
 */
export async function logOutNow(): Promise<void> {
  forgetUploads()
  try {
    await api(sessionEndpoints.logout, { signal: AbortSignal.timeout(logoutTimeout) })
  } catch (error) {
    const alreadyEnded = error instanceof ApiError && error.code === 'UNAUTHENTICATED'
    if (!alreadyEnded) {
      endSession(texts.signedOutHereOnly)
      return
    }
  }
  storage.token.write(null)
  openDocument()
}
