import * as z from 'zod/mini'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { otp } from './otp.ts'
import { password } from './password.ts'
import { finishedAuthentication, startedAuthentication } from './webauthn.ts'

/*
 * Changes to how somebody signs in need a sign-in of the last ten minutes. Who signed in longer ago confirms in place.
 */

export const confirmErrors = {
  RECENT_SIGN_IN_NEEDED: { status: 403, message: 'Please confirm that it is you' },
  NOT_CONFIRMED: { status: 403, message: 'This did not match. Please try again' },
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
    summary: 'By what the signed-in person can confirm.',
    reply: methods,
    errors: ['UNAUTHENTICATED'],
  }),
  passkeyOptions: endpoint('POST', '/auth/confirm/passkey/options', {
    summary: 'Starts a confirmation by one of the own passkeys.',
    reply: startedAuthentication,
    errors: ['UNAUTHENTICATED'],
  }),
  confirm: endpoint('POST', '/auth/confirm', {
    summary: 'Proves once more who is signed in. For the next ten minutes the session counts as just begun.',
    body,
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_CONFIRMED', 'PASSWORD_RESET_NEEDED'],
  }),
}
