import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { otp } from './otp.ts'
import { password } from './password.ts'

/**
 * 256 random bits in base64url that a browser generates and stores. The server counts failed passwords of a browser
 * that has signed in to an account separately, so that strangers cannot lock the owner out.
 */
export const deviceHeader = 'x-pult-device'

export const loginErrors = {
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid credentials' },
  INVALID_OTP: { status: 401, message: 'This OTP is not valid' },
  VOUCHER_NOT_VALID: {
    status: 401,
    message: 'This sign-in has expired. Enter your password again',
  },
  PASSWORD_RESET_NEEDED: {
    status: 429,
    message: 'Too many failed attempts. Set a new password with "Forgot password"',
  },
  SECOND_FACTOR_LOCKED: {
    status: 429,
    message: 'Too many wrong codes. Sign in with a passkey, or ask root to unlock your account',
  },
} as const

/** Any verified address of the user, compared without case. */
export const username = z.string().check(z.minLength(1), z.maxLength(limits.emailMax), z.regex(/^\P{Cc}*$/u))

/** Proves a correct password until the second factor is entered. Valid for 5 minutes and 5 attempts. */
export const voucher = z.string().check(z.minLength(1), z.maxLength(200))

const credentialsLogin = z.strictObject({
  type: z.literal('credentials'),
  data: z.strictObject({ username, password: password.check(z.minLength(1)) }),
})

const otpLogin = z.strictObject({
  type: z.literal('otp'),
  data: z.strictObject({ voucher, otp }),
})

export const loginEndpoints = {
  login: endpoint('POST', '/auth/login', {
    summary:
      'Signs in with a username and password, and with a one-time password if the account requires one.',
    body: z.discriminatedUnion('type', [credentialsLogin, otpLogin]),
    reply: z.object({
      /** `redeem`: the reply has the token. `otp`: sign in with the voucher and a one-time password. */
      next: z.enum(['redeem', 'otp']),
      token: z.optional(z.string()),
      voucher: z.optional(z.string()),
    }),
    errors: [
      'INVALID_CREDENTIALS',
      'INVALID_OTP',
      'VOUCHER_NOT_VALID',
      'PASSWORD_RESET_NEEDED',
      'SECOND_FACTOR_LOCKED',
    ],
  }),
}
