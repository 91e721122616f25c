import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { finishPasskeyLogin, startPasskeyLogin } from './passkey-calls.ts'
import { texts } from './proof.texts.ts'

/** Signs in with a passkey of this person, by a dialog of the browser. Answers the token. */
export async function logInByPasskey(username: string, signal: AbortSignal): Promise<string> {
  const started = await startPasskeyLogin({ username }, signal)
  return finishPasskeyLogin(started, await askBrowser(started.options, signal), signal)
}

async function askBrowser(
  options: AuthenticationOptions,
  signal: AbortSignal,
): Promise<AuthenticationResult> {
  signal.throwIfAborted()
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
    return await startAuthentication({ optionsJSON })
  } catch (cause) {
    // One error stands for a cancelled dialog, for one that nobody answered, for a person who was not recognised and
    // for the lack of a passkey. https://www.w3.org/TR/webauthn-3/#sctn-assertion-privacy
    const isCancelled = cause instanceof Error && cause.name === 'NotAllowedError'
    throw new Error(isCancelled ? texts.passkeyCancelled : texts.passkeyFailed, { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
