import { type Confirmation, confirmEndpoints } from '@pult/contract'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { api } from '#platform/api.ts'

/** Asks for one of the user's passkeys through the browser, until the signal aborts. */
export async function passkeyProof(signal: AbortSignal): Promise<Confirmation> {
  const { userToken, options } = await api(confirmEndpoints.passkeyOptions, { signal })
  const giveUp = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', giveUp)
  try {
    // In the contract, transports are plain strings, as in the standard.
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
    const result = await startAuthentication({ optionsJSON })
    const clientExtensionResults = { ...result.clientExtensionResults }
    return {
      type: 'passkey',
      userToken,
      result: { ...result, response: { ...result.response }, clientExtensionResults },
    }
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
