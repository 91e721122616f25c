import { lateModule } from '#platform/late-module.ts'

/** Loads while the user chooses a sign-in method. */
export const passkeyLogin = lateModule(() => import('./passkey-login.ts'))

/** Loads once the username can be typed. */
export const passkeyAutofill = lateModule(() => import('./passkey-autofill.ts'))
