import * as z from 'zod/mini'
import { newPassword, password } from '../auth/password.ts'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'

export const passwordChangeErrors = {
  WRONG_PASSWORD: { status: 403, message: 'The current password is wrong' },
} as const

export const passwordEndpoints = {
  change: endpoint('PUT', '/me/account/password', {
    summary:
      'Sets a new password and ends all other sessions; needs the current password or a recent sign-in.',
    body: z.strictObject({
      /** Must be correct if it is sent. */
      oldPass: z.optional(password.check(z.minLength(1))),
      newPass: newPassword,
    }),
    reply: done,
    errors: [
      'UNAUTHENTICATED',
      'RECENT_SIGN_IN_NEEDED',
      'WRONG_PASSWORD',
      'PASSWORD_RESET_NEEDED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
    ],
  }),
}
