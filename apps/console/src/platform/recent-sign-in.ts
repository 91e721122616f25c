import { ApiError } from './api-error.ts'

/** Set by the room of the step-up dialog. Resolves once the user has confirmed, rejects when the user cancels. */
let askForProof: (() => Promise<void>) | null = null

export function onProofNeeded(ask: () => Promise<void>): void {
  askForProof = ask
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** The user cancelled the step-up authentication, so there is no error to report. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Cancelled
}

/**
 * Runs a call. If the server requires a recent sign-in, asks for it in place and repeats the call with the same
 * input. Rejects with an error that {@link isCancelled} recognises when the user cancels.
 */
export async function withRecentSignIn<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RECENT_SIGN_IN_NEEDED' || askForProof === null)
      throw error
    await askForProof()
    return call()
  }
}
