import type { AuthenticationResult } from '@pult/contract'
import { finishPasskeyLogin, type StartedLogin, startPasskeyLogin } from './passkey-calls.ts'

/** Less than the 5 min lifetime of a challenge. */
const renewEvery = 4 * 60_000

interface Offer {
  signal: AbortSignal
  /** The user has chosen a passkey. Only the server's response is pending. */
  onChosen: () => void
  onToken: (token: string) => void
  onFailure: (error: unknown) => void
}

/**
 * Lets the browser offer passkeys in the username's suggestions until the signal aborts. The user did not start this,
 * so only the outcome of a chosen passkey is reported.
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

/** Null if the challenge expired before a passkey was chosen. */
async function choosePasskey(leaving: AbortSignal): Promise<ChosenPasskey | null> {
  const old = new AbortController()
  const timer = setTimeout(() => old.abort(), renewEvery)
  const signal = AbortSignal.any([leaving, old.signal])
  try {
    const started = await startPasskeyLogin({}, signal)
    return { started, result: await askBrowser(started, signal) }
  } catch {
    // Errors of the server or the browser end here as well. The next attempt may succeed, but not immediately.
    await aborted(signal)
    return null
  } finally {
    clearTimeout(timer)
  }
}

// The browser's native API is sufficient. The library for older browsers would enlarge the first page.
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
