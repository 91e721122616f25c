import * as z from 'zod/mini'
import { limits } from '../limits.ts'

export const passwordErrors = {
  PASSWORD_TOO_SHORT: { status: 400, message: 'Should have at least length of 8' },
  PASSWORD_TOO_LONG: { status: 400, message: 'The password is too long' },
  PASSWORD_TOO_COMMON: {
    status: 400,
    message: 'This password is too easy to guess. Choose another one',
  },
} as const

/**
 * The `reason` in the `detail` of PASSWORD_TOO_COMMON: the password is on lists of common passwords, follows a pattern
 * such as a date, or consists of words of the product and the person.
 */
export type CommonPasswordReason = 'list' | 'pattern' | 'own'

/** A password to compare with the stored hash. */
export const password = z.string().check(z.maxLength(limits.passwordMaxBytes))

/**
 * A password to set. One policy on the server checks it, so that registration, reset and change reject the same
 * passwords with the same codes.
 */
export const newPassword = z.string()
