import * as z from 'zod/mini'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { otp } from './otp.ts'
import { password } from './password.ts'
import { finishedAuthentication, startedAuthentication } from './webauthn.ts'

/*
 * Sensitive actions need a sign-in within the last ten minutes, or step-up authentication. An account with a second
 * factor confirms with that factor or a passkey.
 */

export const confirmErrors = {
  RECENT_SIGN_IN_NEEDED: { status: 403, message: 'Confirm that it is you' },
  SECOND_FACTOR_NEEDED: { status: 403, message: 'Confirm with a one-time password or a passkey' },
  NOT_CONFIRMED: { status: 403, message: 'The confirmation failed. Try again' },
} as const

const body = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('password'), password: password.check(z.minLength(1)) }),
  z.strictObject({ type: z.literal('otp'), otp }),
  z.strictObject({ type: z.literal('passkey'), ...finishedAuthentication }),
])
export type Confirmation = z.infer<typeof body>

const methods = z.object({
  password: z.boolean(),
  otp: z.boolean(),
  passkey: z.boolean(),
})
export type ConfirmationMethods = z.infer<typeof methods>

export const confirmEndpoints = {
  methods: endpoint('GET', '/auth/confirm/methods', {
    summary: 'Returns the methods with which the signed-in user can confirm.',
    reply: methods,
    errors: ['UNAUTHENTICATED'],
  }),
  passkeyOptions: endpoint('POST', '/auth/confirm/passkey/options', {
    summary: 'Starts a confirmation with one of the caller’s passkeys.',
    reply: startedAuthentication,
    errors: ['UNAUTHENTICATED'],
  }),
  confirm: endpoint('POST', '/auth/confirm', {
    summary:
      'Confirms the identity of the signed-in user, so that the session counts as recently signed in for ten minutes.',
    body,
    reply: done,
    errors: [
      'UNAUTHENTICATED',
      'NOT_CONFIRMED',
      'SECOND_FACTOR_NEEDED',
      'PASSWORD_RESET_NEEDED',
      'SECOND_FACTOR_LOCKED',
    ],
  }),
}
