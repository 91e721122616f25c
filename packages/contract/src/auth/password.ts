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

/** A password as it travels to be compared with the stored one. */
export const password = z.string().check(z.maxLength(limits.passwordMaxBytes))

/**
 * A password that is to be set. Whether it may be is decided by one policy on the server, so that registration, reset
 * and change refuse the same ones with the same codes.
 */
export const newPassword = z.string()
