import type { RegistrationOptions, RegistrationResult } from '@pult/contract'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { ApiError } from '#platform/api-error.ts'
import { lateModule } from '#platform/late-module.ts'
import { texts } from './passkeys.texts.ts'

/** Converts a ceremony's JSON to the browser's objects and back. */
export const webAuthn = lateModule(() => import('@simplewebauthn/browser'))

/**
 * Milliseconds. A person needs longer to cancel. A faster rejection comes from the browser, which requires a user
 * gesture right before the call.
 */
const fasterThanUser = 500

/** The browser requires a user gesture. The same options can be used again right after one. */
export class NeedsPress extends Error {
  override readonly name = 'NeedsPress'
}

/** Runs the browser's part of a registration. Rejects with the browser's error, or with {@link NeedsPress}. */
export async function createPasskey(options: RegistrationOptions): Promise<RegistrationResult> {
  const { startRegistration } = await webAuthn.load()
  const startedAt = performance.now()
  try {
    // In the contract, transports are plain strings, as in the browser API.
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    if (nameOf(error) === 'NotAllowedError' && performance.now() - startedAt < fasterThanUser) {
      throw new NeedsPress('The browser requires a user gesture', { cause: error })
    }
    throw error
  }
}

/** Cancels the browser's prompt when the user leaves the page. */
export function abandonCeremony(): void {
  if (webAuthn.isLoaded()) webAuthn.get().WebAuthnAbortService.cancelCeremony()
}

export const isAbandoned = (error: unknown) => nameOf(error) === 'AbortError'

/**
 * Returns the error to show for a failed registration. The browser's own messages are written for developers.
 * https://www.w3.org/TR/webauthn-3/#sctn-createCredential
 */
export function explain(error: unknown): Error {
  if (error instanceof ApiError) return error
  return new Error(messageOf(nameOf(error)), { cause: error })
}

function messageOf(name: string): string {
  switch (name) {
    case 'InvalidStateError':
      return texts.addedAlready
    case 'NotAllowedError':
    case 'NeedsPress':
      return texts.notFinished
    case 'ConstraintError':
      return texts.notAble
    case 'SecurityError':
      return texts.wrongAddress(location.host)
    default:
      return texts.failed
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
