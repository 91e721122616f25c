import * as z from 'zod/mini'
import { personName } from './account/person-name.ts'
import { recoveryText } from './auth/otp.ts'
import { newPassword } from './auth/password.ts'
import { endpoint } from './endpoint.ts'

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
  RECOVERY_CODE_NOT_VALID: {
    status: 403,
    message: 'None of these is an unused recovery code of this account',
  },
} as const

export const tokenLinkActions = [
  'invite:registration',
  'user:reset-password',
  'user:otp-recovery',
  'user:email-confirmation',
] as const
export type TokenLinkAction = (typeof tokenLinkActions)[number]

/** What a person who has no account yet sends to accept an invitation. The address comes from the invitation alone. */
export const registration = z.strictObject({
  firstname: personName,
  lastname: personName,
  password: newPassword,
})
export type Registration = z.infer<typeof registration>

/** What a person who has an account sends, signed in with it. */
export const acceptance = z.strictObject({})

/** Sets a new password. It signs nobody in. */
export const passwordReset = z.strictObject({ password: newPassword })

/** One unused recovery code among what is sent replaces the authenticator and all codes. */
export const otpRecovery = z.strictObject({ codes: recoveryText })

/** Confirms an address. A confirmed one may be confirmed again: mail readers open links twice. */
export const emailConfirmation = z.strictObject({})

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
  firstname: z.optional(personName),
  lastname: z.optional(personName),
  password: z.optional(newPassword),
  codes: z.optional(recoveryText),
})

const redemption = z.object({
  /** Signs the new person in; absent when an existing account accepted. */
  token: z.optional(z.string()),
  /** The new secret of a recovered account, shown this once. */
  otpAuthUrl: z.optional(z.string()),
  recoveryCodes: z.optional(z.array(z.string())),
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
      'Uses a link. An invitation takes a registration and signs the new person in; for an address that has an account it takes an empty object, sent by that person signed in. A reset takes {password}, a recovery {codes}, a confirmation an empty object.',
    body: redemptionBody,
    reply: redemption,
    errors: [
      'LINK_NOT_VALID',
      'SIGN_IN_TO_ACCEPT',
      'RECOVERY_CODE_NOT_VALID',
      'PASSWORD_RESET_NEEDED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
    ],
  }),
}
