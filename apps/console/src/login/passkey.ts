import { lateModule } from '#platform/late-module.ts'

/** Loads while the user chooses a sign-in method. */
export const passkeyLogin = lateModule(() => import('./passkey-login.ts'))

/** Loads once the username can be typed. */
export const passkeyAutofill = lateModule(() => import('./passkey-autofill.ts'))

/** Why passkeys do not work here; null if they do. */
export function passkeyObstacle(): 'needs-https' | 'unsupported' | null {
  // Browsers hide the passkey API without HTTPS, except on localhost.
  if (!isSecureContext) return 'needs-https'
  return 'PublicKeyCredential' in window ? null : 'unsupported'
}
