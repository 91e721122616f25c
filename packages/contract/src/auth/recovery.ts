import * as z from 'zod/mini'
import { done } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { username, voucher } from './login.ts'

export const recoveryEndpoints = {
  resetPassword: endpoint('POST', '/auth/password-reset', {
    summary:
      'Mails a link that sets a new password, if the username is a verified address. The answer does not tell.',
    body: z.strictObject({ username }),
    reply: done,
  }),
  recoverOtp: endpoint('POST', '/auth/otp/recovery', {
    summary:
      'Mails a link by which a recovery code sets up a new authenticator. The voucher shows that the password was right, and stays valid.',
    body: z.strictObject({ voucher }),
    reply: done,
    errors: ['VOUCHER_NOT_VALID'],
  }),
}
