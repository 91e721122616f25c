import {
  type AuthenticationOptions,
  type AuthenticationResult,
  passkeyLoginEndpoints,
  type ReplyOf,
} from '@pult/contract'
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { api } from '#platform/api.ts'
import { texts } from './login.texts.ts'

/** Less than the 5 minutes that a challenge lives. */
const renewEvery = 4 * 60_000

type Started = ReplyOf<typeof passkeyLoginEndpoints.options>

/** Signs in with a passkey of this person, by a dialog of the browser. Answers the token. */
export async function logInByPasskey(username: string, signal: AbortSignal): Promise<string> {
  const started = await api(passkeyLoginEndpoints.options, { body: { username }, signal })
  return prove(started, await askBrowser(started.options, signal), signal)
}

interface Offer {
  signal: AbortSignal
  /** The person has chosen a passkey; what is left is the server's answer. */
  onChosen: () => void
  onToken: (token: string) => void
  onFailure: (error: unknown) => void
}

/**
 * Lets the browser offer passkeys in the username's suggestions, as long as the signal allows. Nobody has asked for it,
 * so only what happens to a chosen passkey is told.
 */
export async function offerPasskeys({ signal, onChosen, onToken, onFailure }: Offer): Promise<void> {
  while (!signal.aborted) {
    await pageIsVisible(signal)
    const stale = new AbortController()
    const timer = setTimeout(() => stale.abort(), renewEvery)
    const staleOrLeft = AbortSignal.any([signal, stale.signal])
    const chosen = await choose(staleOrLeft)
    clearTimeout(timer)
    if (signal.aborted) return
    if (chosen === null) continue
    onChosen()
    try {
      const token = await prove(chosen.started, chosen.result, signal)
      if (!signal.aborted) onToken(token)
      return
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
  }
}

/** Null when the challenge got old before a passkey was chosen. */
async function choose(staleOrLeft: AbortSignal) {
  try {
    const started = await api(passkeyLoginEndpoints.options, { body: {}, signal: staleOrLeft })
    const result = await askBrowser(started.options, staleOrLeft, { isAutofill: true })
    return { started, result }
  } catch {
    // Also where the server or the browser refused: the next one may go better, but not at once.
    await aborted(staleOrLeft)
    return null
  }
}

/** The ceremony of https://www.w3.org/TR/webauthn-3/#sctn-getAssertion */
async function askBrowser(
  options: AuthenticationOptions,
  signal: AbortSignal,
  { isAutofill = false } = {},
): Promise<AuthenticationResult> {
  signal.throwIfAborted()
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
    return await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill })
  } catch (cause) {
    // The specification gives one error for a cancelled dialog, for one that nobody answered, for a person who was not
    // recognised and for the lack of a passkey.
    const isCancelled = cause instanceof Error && cause.name === 'NotAllowedError'
    throw new Error(isCancelled ? texts.passkeyCancelled : texts.passkeyFailed, { cause })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function prove(
  { userToken }: Started,
  result: AuthenticationResult,
  signal: AbortSignal,
): Promise<string> {
  const body = { userToken, result }
  const { verified, token } = await api(passkeyLoginEndpoints.verify, { body, signal })
  if (verified && token !== undefined) return token
  console.error('The server did not verify the passkey.')
  throw new Error(texts.passkeyNotAccepted)
}

function pageIsVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
