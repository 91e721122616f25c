import * as z from 'zod/mini'
import { personName } from './account/person-name.ts'
import { recoveryText } from './auth/otp.ts'
import { newPassword } from './auth/password.ts'
import { endpoint } from './endpoint.ts'
import { languages } from './settings.ts'

/*
 * A token link is a console address, `/bift/TOKEN`, that permits one action once. "bift" is a historical path name that
 * stays because links in mailboxes outlive releases.
 */

export const tokenLinkErrors = {
  LINK_NOT_VALID: { status: 410, message: 'This link is no longer valid' },
  SIGN_IN_TO_ACCEPT: {
    status: 409,
    message: 'This address already has an account. Sign in to it to accept the invitation',
  },
  RECOVERY_CODE_NOT_VALID: {
    status: 403,
    message: 'None of these is an unused recovery code. Check the codes',
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
  /** Language of the installation; if omitted, the default. */
  language: z.optional(language),
})

/** Accepts an invitation with an existing account, while signed in to it. */
export const acceptance = z.strictObject({})

/** Sets a new password without signing in. */
export const passwordReset = z.strictObject({ password: newPassword })

/** One unused recovery code among the given ones replaces the authenticator and all codes. */
export const otpRecovery = z.strictObject({ codes: recoveryText })

/** Confirms an address. A confirmed address can be confirmed again, because mail clients open links twice. */
export const emailConfirmation = z.strictObject({})

const preflight = z.object({
  action: z.enum(tokenLinkActions),
  data: z.object({
    /** Address of the link. */
    email: z.string(),
    /** Account of the link. An invitation shows it only to that account. */
    user: z.nullable(
      z.object({
        firstname: z.string(),
        lastname: z.string(),
        /** Its default address; only in the link of a confirmation. */
        email: z.optional(z.string()),
      }),
    ),
    /** Only in the link of a confirmation: whether the caller is the account that requested it. */
    isOwnAccount: z.optional(z.boolean()),
    /** True for the link that the server prints while no root exists. */
    isFirstRoot: z.optional(z.boolean()),
    /** Language of the inviting user, if chosen. */
    language: z.optional(language),
  }),
})
export type TokenLink = z.infer<typeof preflight>

/** Fields of all actions. Each action requires exactly the fields of its schema, such as `registration`. */
const redemptionBody = z.strictObject({
  firstname: z.optional(personName),
  lastname: z.optional(personName),
  password: z.optional(newPassword),
  codes: z.optional(recoveryText),
  language: z.optional(language),
})

const redemption = z.object({
  /** Session token of a new account; absent if an existing account accepted. */
  token: z.optional(z.string()),
  /** Project of an accepted invitation. */
  projectId: z.optional(z.string()),
  /** New secret of a recovered account, shown only once. */
  otpAuthUrl: z.optional(z.string()),
  recoveryCodes: z.optional(z.array(z.string())),
})
export type Redemption = z.infer<typeof redemption>

export const tokenLinkEndpoints = {
  preflight: endpoint('GET', '/bift/preflight/:token', {
    summary:
      'Returns the purpose of a link without using it up; an invitation shows an account to that account alone.',
    reply: preflight,
    errors: ['LINK_NOT_VALID'],
  }),
  redeem: endpoint('POST', '/bift/redeem/:token', {
    summary:
      'Redeems a link: an invitation takes a registration, or an empty object from the signed-in account of the address; a reset takes {password}, a recovery {codes}, a confirmation an empty object.',
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
