import * as z from 'zod/mini'
import { newPassword } from './auth/password.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * A token link is an address of the console, `/bift/TOKEN`, that lets its holder do one thing once.
 * "bift" is the path's old name and stays, because links in mail boxes outlive releases.
 */

export const tokenLinkErrors = {
  LINK_NOT_VALID: { status: 410, message: 'This link is not valid any more' },
  SIGN_IN_TO_ACCEPT: {
    status: 409,
    message: 'This address already has an account. Please sign in with it to accept the invitation',
  },
} as const

export const tokenLinkActions = ['invite:registration'] as const
export type TokenLinkAction = (typeof tokenLinkActions)[number]

/** No line ends, no signs that turn the direction of the text around a name, nothing that is half a character. */
const printable = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

const name = z
  .string()
  .check(
    z.trim(),
    z.minLength(limits.nameMin),
    z.maxLength(limits.nameMax),
    z.regex(printable, 'Must not contain control characters'),
  )

/** What a person who has no account yet sends to accept an invitation. The address comes from the invitation alone. */
export const registration = z.strictObject({ firstname: name, lastname: name, password: newPassword })
export type Registration = z.infer<typeof registration>

/** What a person who has an account sends, signed in with it. */
export const acceptance = z.strictObject({})

const preflight = z.object({
  action: z.enum(tokenLinkActions),
  data: z.object({
    /** The address the link belongs to. */
    email: z.string(),
    /** The person the link belongs to, when there is an account already. */
    user: z.nullable(z.object({ firstname: z.string(), lastname: z.string() })),
  }),
})
export type TokenLink = z.infer<typeof preflight>

/** The fields of all actions. Each action takes its own, all of them and no other: `registration`, `acceptance`. */
const redemptionBody = z.strictObject({
  firstname: z.optional(name),
  lastname: z.optional(name),
  password: z.optional(newPassword),
})

const redemption = z.object({
  /** Signs the new person in; absent when an existing account accepted. */
  token: z.optional(z.string()),
})
export type Redemption = z.infer<typeof redemption>

export const tokenLinkEndpoints = {
  preflight: endpoint('GET', '/bift/preflight/:token', {
    summary: 'What a link is for. Reading it never uses it up.',
    reply: preflight,
    errors: ['LINK_NOT_VALID'],
  }),
  redeem: endpoint('POST', '/bift/redeem/:token', {
    summary:
      'Uses a link. An invitation takes a registration and signs the new person in; for an address that has an account it takes an empty object, sent by that person signed in.',
    body: redemptionBody,
    reply: redemption,
    errors: [
      'LINK_NOT_VALID',
      'SIGN_IN_TO_ACCEPT',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
    ],
  }),
}
