import * as z from 'zod/mini'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { username, voucher } from './login.ts'

export const recoveryEndpoints = {
  resetPassword: endpoint('POST', '/auth/password-reset', {
    summary:
      'Mails a link for a new password if the username is a verified address; the reply is always the same.',
    body: z.strictObject({ username }),
    reply: done,
  }),
  recoverOtp: endpoint('POST', '/auth/otp/recovery', {
    summary:
      'Mails a link to set up a new authenticator with a recovery code; the voucher proves the password and remains valid.',
    body: z.strictObject({ voucher }),
    reply: done,
    errors: ['VOUCHER_NOT_VALID'],
  }),
}
