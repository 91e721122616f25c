import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { finishPasskeyLogin, startPasskeyLogin } from './passkey-calls.ts'
import { texts } from './proof.texts.ts'

/** Signs in with one of the user's passkeys through the browser's dialog. Returns the token. */
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
    // The same error stands for a cancelled dialog, a timeout, a failed user verification and a missing passkey.
    // https://www.w3.org/TR/webauthn-3/#sctn-assertion-privacy
    const isCancelled = cause instanceof Error && cause.name === 'NotAllowedError'
    throw new Error(isCancelled ? texts.passkeyCancelled : texts.passkeyFailed, { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
