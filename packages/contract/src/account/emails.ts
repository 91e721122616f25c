import * as z from 'zod/mini'
import { done, id, instant, listOf } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'

export const emailErrors = {
  EMAIL_ADDED_ALREADY: { status: 409, message: 'You have already added this address' },
  EMAIL_NOT_VERIFIED: { status: 409, message: 'Confirm this address first' },
  EMAIL_VERIFIED_ALREADY: { status: 409, message: 'This address is already confirmed' },
  EMAIL_IS_DEFAULT: { status: 409, message: 'Your default address cannot be removed' },
  TOO_MANY_EMAILS: { status: 409, message: 'You have too many addresses. Remove one first' },
} as const

const email = z.object({
  _id: id,
  email: z.string(),
  /** Receives the account's mails. Exactly one address of a user is the default, and it is verified. */
  isDefault: z.boolean(),
  createdAt: instant,
  /** When the owner followed the confirmation link; null until then. */
  verifiedAt: z.nullable(instant),
  /** Whole seconds until another verification mail may be sent; 0 if it may be sent now. */
  resendIn: z.number(),
})
export type Email = z.infer<typeof email>

const common = ['UNAUTHENTICATED', 'NOT_FOUND'] as const

export const emailEndpoints = {
  list: endpoint('GET', '/me/account/emails', {
    summary: 'Lists the caller’s addresses, the default first.',
    reply: listOf(email),
    errors: ['UNAUTHENTICATED'],
  }),
  create: endpoint('POST', '/me/account/emails', {
    summary:
      'Adds an address and mails a confirmation link to it; an address of another account gets the same reply and a mail that explains why.',
    body: z.strictObject({ email: z.string().check(z.minLength(1), z.maxLength(limits.emailMax)) }),
    reply: email,
    errors: ['UNAUTHENTICATED', 'RECENT_SIGN_IN_NEEDED', 'EMAIL_ADDED_ALREADY', 'TOO_MANY_EMAILS'],
  }),
  remove: endpoint('DELETE', '/me/account/emails/:emailId', {
    summary: 'Removes an address and invalidates the links that were sent to it.',
    reply: done,
    errors: [...common, 'EMAIL_IS_DEFAULT'],
  }),
  verify: endpoint('POST', '/me/account/emails/:emailId/verify', {
    summary: 'Mails a new confirmation link and invalidates the previous one, at most once in 30 seconds.',
    reply: email,
    errors: [...common, 'EMAIL_VERIFIED_ALREADY'],
  }),
  setDefault: endpoint('POST', '/me/account/emails/:emailId/set-default', {
    summary: 'Makes a verified address the caller’s default.',
    reply: email,
    errors: [...common, 'RECENT_SIGN_IN_NEEDED', 'EMAIL_NOT_VERIFIED'],
  }),
}
