import { useEffect, useEffectEvent, useState } from 'react'
import { passkeyObstacle } from '#platform/passkey-obstacle.ts'
import { passkeyAutofill } from './passkey.ts'

interface PasskeyAutofill {
  /** A passkey was chosen, and the server's answer is pending. */
  isSigningIn: boolean
  failure: unknown
}

/**
 * Offers passkeys in the suggestions of the field whose `autocomplete` ends with `webauthn`, while the calling step
 * is mounted.
 */
export function usePasskeyAutofill(onToken: (token: string) => void): PasskeyAutofill {
  const [state, setState] = useState<PasskeyAutofill>({ isSigningIn: false, failure: null })
  const signIn = useEffectEvent(onToken)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const offer = async () => {
      if (!(await hasAutofill())) return
      await nextFrame()
      const { offerPasskeys } = await passkeyAutofill.load()
      await offerPasskeys({
        signal,
        onChosen: () => setState({ isSigningIn: true, failure: null }),
        onToken: (token) => signIn(token),
        onFailure: (failure) => setState({ isSigningIn: false, failure }),
      })
    }
    // The button still works without it.
    offer().catch(() => {})
    return () => leaving.abort()
  }, [])
  return state
}

async function hasAutofill(): Promise<boolean> {
  if (passkeyObstacle() !== null || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return false
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false
}

/** The username can be typed before this code loads. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
