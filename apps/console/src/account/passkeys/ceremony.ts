import type { RegistrationOptions, RegistrationResult } from '@pult/contract'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { ApiError } from '#platform/api-error.ts'
import { lateModule } from '#platform/late-module.ts'
import { texts } from './passkeys.texts.ts'

/** What turns the JSON of a ceremony into the browser's objects and back. */
export const webAuthn = lateModule(() => import('@simplewebauthn/browser'))

/** A person needs longer to say no; so fast it is the browser itself, which wants a press right before it asks. */
const atOnce = 500

/** A refusal for want of a press: the same options may be tried once more, right after one. */
export class NeedsPress extends Error {
  override readonly name = 'NeedsPress'
}

/** The browser's part of a registration. Rejects with the browser's error, or with {@link NeedsPress}. */
export async function createPasskey(options: RegistrationOptions): Promise<RegistrationResult> {
  const { startRegistration } = await webAuthn.load()
  const begunAt = performance.now()
  try {
    // The contract tells transports apart from other texts no more than the browser does.
    return await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  } catch (error) {
    if (nameOf(error) === 'NotAllowedError' && performance.now() - begunAt < atOnce) {
      throw new NeedsPress('A press is needed', { cause: error })
    }
    throw error
  }
}

/** Takes the browser's question back when the page is left. */
export function abandonCeremony(): void {
  if (webAuthn.isLoaded()) webAuthn.get().WebAuthnAbortService.cancelCeremony()
}

export const isAbandoned = (error: unknown) => nameOf(error) === 'AbortError'

/**
 * What to tell a person about a registration that failed. The browser's own messages are for programmers.
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
