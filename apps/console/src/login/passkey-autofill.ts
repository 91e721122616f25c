import type { AuthenticationResult } from '@pult/contract'
import { finishPasskeyLogin, type StartedLogin, startPasskeyLogin } from './passkey-calls.ts'

/** Less than the 5 minutes that a challenge lives. */
const renewEvery = 4 * 60_000

interface Offer {
  signal: AbortSignal
  /** The person has chosen a passkey; what is left is the server's answer. */
  onChosen: () => void
  onToken: (token: string) => void
  onFailure: (error: unknown) => void
}

/**
 * Lets the browser offer passkeys in the username's suggestions, as long as the signal allows. Nobody has asked for it,
 * so only what becomes of a chosen passkey is told.
 */
export async function offerPasskeys({ signal, onChosen, onToken, onFailure }: Offer): Promise<void> {
  while (!signal.aborted) {
    await pageIsVisible(signal)
    const chosen = await choosePasskey(signal)
    if (signal.aborted) return
    if (chosen === null) continue
    onChosen()
    try {
      const token = await finishPasskeyLogin(chosen.started, chosen.result, signal)
      if (!signal.aborted) onToken(token)
      return
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
  }
}

interface ChosenPasskey {
  started: StartedLogin
  result: AuthenticationResult
}

/** Null when the challenge got old before one was chosen. */
async function choosePasskey(leaving: AbortSignal): Promise<ChosenPasskey | null> {
  const old = new AbortController()
  const timer = setTimeout(() => old.abort(), renewEvery)
  const signal = AbortSignal.any([leaving, old.signal])
  try {
    const started = await startPasskeyLogin({}, signal)
    return { started, result: await askBrowser(started, signal) }
  } catch {
    // Also where the server or the browser refused: the next one may go better, but not at once.
    await aborted(signal)
    return null
  } finally {
    clearTimeout(timer)
  }
}

// What the browser brings is enough here, and the library that helps older ones would weigh on the first page.
async function askBrowser({ options }: StartedLogin, signal: AbortSignal): Promise<AuthenticationResult> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey, signal })
  return (credential as PublicKeyCredential).toJSON() as AuthenticationResult
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
