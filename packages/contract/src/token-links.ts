import * as z from 'zod/mini'
import { personName } from './account/person-name.ts'
import { recoveryText } from './auth/otp.ts'
import { newPassword } from './auth/password.ts'
import { endpoint } from './endpoint.ts'
import { languages } from './settings.ts'

/*
 * A token link is a console address, `/bift/TOKEN`, that permits one action once. "bift" is a historical path name;
 * it stays because links in mailboxes outlive releases.
 */

export const tokenLinkErrors = {
  LINK_NOT_VALID: { status: 410, message: 'This link is no longer valid' },
  SIGN_IN_TO_ACCEPT: {
    status: 409,
    message: 'This address already has an account. Sign in to it to accept the invitation',
  },
  RECOVERY_CODE_NOT_VALID: {
    status: 403,
    message: 'None of these is an unused recovery code',
  },
} as const

const tokenLinkActions = [
  'invite:registration',
  'user:reset-password',
  'user:otp-recovery',
  'user:email-confirmation',
] as const
export type TokenLinkAction = (typeof tokenLinkActions)[number]

/** Accepts an invitation for an address without an account. The address comes from the invitation only. */
export const registration = z.strictObject({
  firstname: personName,
  lastname: personName,
  password: newPassword,
})
export type Registration = z.infer<typeof registration>

const language = z.enum(languages)

/** Creates the first root account, which sets the installation up. */
export const firstRootRegistration = z.extend(registration, {
  /** The installation's language. It stays the default one if it is omitted. */
  language: z.optional(language),
})

/** Accepts an invitation with an existing account, while signed in to it. */
export const acceptance = z.strictObject({})

/** Sets a new password. It does not sign in. */
export const passwordReset = z.strictObject({ password: newPassword })

/** One unused recovery code among the given ones replaces the authenticator and all codes. */
export const otpRecovery = z.strictObject({ codes: recoveryText })

/** Confirms an address. A confirmed address can be confirmed again, because mail clients open links twice. */
export const emailConfirmation = z.strictObject({})

const preflight = z.object({
  action: z.enum(tokenLinkActions),
  data: z.object({
    /** The address the link belongs to. */
    email: z.string(),
    /** The account that the link belongs to. An invitation shows it to that account alone. */
    user: z.nullable(z.object({ firstname: z.string(), lastname: z.string() })),
    /** The link that the server prints while no root exists. */
    isFirstRoot: z.optional(z.boolean()),
    /** The language that the inviter uses, if they have chosen one. */
    language: z.optional(language),
  }),
})
export type TokenLink = z.infer<typeof preflight>

/** The fields of all actions. Each action takes its own, all of them and no other: `registration`, `acceptance`. */
const redemptionBody = z.strictObject({
  firstname: z.optional(personName),
  lastname: z.optional(personName),
  password: z.optional(newPassword),
  codes: z.optional(recoveryText),
  language: z.optional(language),
})

const redemption = z.object({
  /** Signs the new person in; absent when an existing account accepted. */
  token: z.optional(z.string()),
  /** The project that an accepted invitation opens. */
  projectId: z.optional(z.string()),
  /** The new secret of a recovered account, shown this once. */
  otpAuthUrl: z.optional(z.string()),
  recoveryCodes: z.optional(z.array(z.string())),
})
export type Redemption = z.infer<typeof redemption>

export const tokenLinkEndpoints = {
  preflight: endpoint('GET', '/bift/preflight/:token', {
    summary:
      'What a link is for. Reading it never uses it up. An invitation names an account to that account alone.',
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
      'SECOND_FACTOR_LOCKED',
      'PASSWORD_TOO_SHORT',
      'PASSWORD_TOO_LONG',
      'PASSWORD_TOO_COMMON',
    ],
  }),
}
