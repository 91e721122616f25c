import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { answeredAhead, askedAhead } from './ahead.ts'
import { otp } from './otp.ts'
import { password } from './password.ts'

export const loginErrors = {
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid credentials' },
  INVALID_OTP: { status: 401, message: 'This OTP is not valid' },
  VOUCHER_NOT_VALID: {
    status: 401,
    message: 'This took too long or was tried too often. Please enter your password again',
  },
  PASSWORD_RESET_NEEDED: {
    status: 429,
    message: 'Too many failed attempts. Please set a new password with "Forgot password"',
  },
} as const

/** Any verified address of the person, compared without case. */
export const username = z.string().check(z.minLength(1), z.maxLength(limits.emailMax), z.regex(/^\P{Cc}*$/u))

/** What stands for a right password until the second factor is there: 5 minutes, 5 tries. */
export const voucher = z.string().check(z.minLength(1), z.maxLength(200))

const credentialsLogin = z.strictObject({
  type: z.literal('credentials'),
  data: z.strictObject({ username, password: password.check(z.minLength(1)) }),
  ahead: askedAhead,
})

const otpLogin = z.strictObject({
  type: z.literal('otp'),
  data: z.strictObject({ voucher, otp }),
  ahead: askedAhead,
})

export const loginEndpoints = {
  login: endpoint('POST', '/auth/login', {
    summary:
      'Signs in by username and password, and by a one-time password where the account asks for one; with what `ahead` asks.',
    body: z.discriminatedUnion('type', [credentialsLogin, otpLogin]),
    reply: z.object({
      /** `redeem`: the token signs in. `otp`: the voucher and a one-time password do. */
      next: z.enum(['redeem', 'otp']),
      token: z.optional(z.string()),
      voucher: z.optional(z.string()),
      ahead: answeredAhead,
    }),
    errors: ['INVALID_CREDENTIALS', 'INVALID_OTP', 'VOUCHER_NOT_VALID', 'PASSWORD_RESET_NEEDED'],
  }),
}
