import type { ConfirmationMethods } from '@pult/contract'
import { ApiError } from '#platform/api-error.ts'
import { lateModule } from '#platform/late-module.ts'
import { session } from '#platform/session.ts'
import { createStore } from '#platform/store.ts'

/** Somebody is asked to prove that it is still them. */
export interface ProofRequest {
  /** False once it is over, while the dialog leaves. */
  open: boolean
  methods: ConfirmationMethods
  onProved: () => void
  onCancel: () => void
}

/** The one that is asked, or was asked last. */
export const proofRequest = createStore<ProofRequest | null>(null)

/** Its code comes with the first request. */
export const recentSignInDialog = lateModule(() => import('./proof-dialog.ts'))

class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** The person turned back: nothing failed, so there is nothing to report. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Cancelled
}

/**
 * Does what needs a recent sign-in. When the last one is too long ago it asks in place for a proof, and does it again
 * with what was typed. Rejects with an error that {@link isCancelled} knows when the person turns back.
 *
 * @example await withRecentSignIn(() => api(emailEndpoints.create, { body: { email } }))
 */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RECENT_SIGN_IN_NEEDED') throw error
    await askForProof()
    return work()
  }
}

let asking: Promise<void> | null = null

/** Who needs a proof while one is asked for waits for the same one. */
function askForProof(): Promise<void> {
  asking ??= openDialog().finally(() => {
    asking = null
  })
  return asking
}

async function openDialog(): Promise<void> {
  const { readMethods } = await recentSignInDialog.load()
  const methods = await readMethods()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = { methods, onProved: resolve, onCancel: () => reject(new Cancelled()) }
  // The session may end meanwhile; the login takes the dialog's place.
  const stop = session.subscribe(() => {
    if (session.get().status !== 'signed-in') request.onCancel()
  })
  proofRequest.set({ ...request, open: true })
  try {
    await promise
  } finally {
    stop()
    proofRequest.set({ ...request, open: false })
  }
}
