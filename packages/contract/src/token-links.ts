import * as z from 'zod/mini'
import { password } from './auth/password.ts'
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

const name = z.string().check(z.trim(), z.minLength(limits.nameMin), z.maxLength(limits.nameMax))

/** What a person who has no account yet sends to accept an invitation. The address comes from the invitation alone. */
export const registration = z.strictObject({ firstname: name, lastname: name, password })
export type Registration = z.infer<typeof registration>

/** What a person who has an account sends, signed in with it. */
const acceptance = z.strictObject({})

export const tokenLinkEndpoints = {
  preflight: endpoint('GET', '/bift/preflight/:token', {
    summary: 'What a link is for. Reading it never uses it up.',
    reply: z.object({
      action: z.enum(tokenLinkActions),
      data: z.object({
        /** The address the link belongs to. */
        email: z.string(),
        /** The person the link belongs to, when there is an account already. */
        user: z.nullable(z.object({ firstname: z.string(), lastname: z.string() })),
      }),
    }),
    errors: ['LINK_NOT_VALID'],
  }),
  redeem: endpoint('POST', '/bift/redeem/:token', {
    summary:
      'Uses a link. An invitation takes a registration and signs the new person in; for an address that has an account it takes an empty object, sent by that person signed in.',
    body: z.union([registration, acceptance]),
    reply: z.object({
      /** Signs the new person in; absent when an existing account accepted. */
      token: z.optional(z.string()),
    }),
    errors: [
      'LINK_NOT_VALID',
      'SIGN_IN_TO_ACCEPT',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
    ],
  }),
}
export type TokenLink = z.infer<(typeof tokenLinkEndpoints)['preflight']['reply']>
