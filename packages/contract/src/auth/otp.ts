import * as z from 'zod/mini'
import { limits } from '../limits.ts'

/** A one-time password as an authenticator shows it, without spaces: six ASCII digits (RFC 6238). */
export const otp = z.string().check(z.regex(/^[0-9]{6}$/, 'Please enter an OTP'))

/** One or all recovery codes as pasted, with any separators. */
export const recoveryText = z.string().check(z.minLength(1), z.maxLength(limits.recoveryTextMax))

/** What an authenticator and its owner are given once, and never again. */
export const otpEnrolment = z.object({
  /** `otpauth://totp/...`: the secret with its parameters, as a QR code carries it. */
  otpAuthUrl: z.string(),
  /** Ten codes of 16 characters in groups of four, each good for one recovery. */
  recoveryCodes: z.array(z.string()),
})
export type OtpEnrolment = z.infer<typeof otpEnrolment>
