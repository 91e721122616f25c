import { lateModule } from '#platform/late-module.ts'

/** Fetched while somebody chooses how to sign in. */
export const passkeyLogin = lateModule(() => import('./passkey-login.ts'))

/** Fetched when the username can be typed already. */
export const passkeyAutofill = lateModule(() => import('./passkey-autofill.ts'))

/** Why passkeys do not work here; null when they do. */
export function passkeyObstacle(): 'needs-https' | 'unsupported' | null {
  // Without https, and not on localhost, browsers hide what belongs to passkeys.
  if (!isSecureContext) return 'needs-https'
  return 'PublicKeyCredential' in window ? null : 'unsupported'
}
