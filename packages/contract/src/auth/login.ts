import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { password } from './password.ts'

export const loginErrors = {
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid credentials' },
  PASSWORD_RESET_NEEDED: {
    status: 429,
    message: 'Too many failed attempts. Please set a new password with "Forgot password"',
  },
} as const

const credentialsLogin = z.strictObject({
  type: z.literal('credentials'),
  data: z.strictObject({
    /** Any verified address of the person, compared without case. */
    username: z.string().check(z.minLength(1), z.maxLength(limits.emailMax), z.regex(/^\P{Cc}*$/u)),
    password: password.check(z.minLength(1)),
  }),
})

export const loginEndpoints = {
  login: endpoint('POST', '/auth/login', {
    summary: 'Signs in by username and password.',
    body: credentialsLogin,
    reply: z.object({
      /** `redeem`: the token signs in. */
      next: z.enum(['redeem']),
      token: z.string(),
    }),
    errors: ['INVALID_CREDENTIALS', 'PASSWORD_RESET_NEEDED'],
  }),
}
