import * as z from 'zod/mini'
import { limits } from '../limits.ts'

/** A one-time password as an authenticator shows it, without spaces: six ASCII digits (RFC 6238). */
export const otp = z.string().check(z.regex(/^[0-9]{6}$/, 'Please enter an OTP'))

/** One or all recovery codes as pasted, with any separators. */
export const recoveryText = z.string().check(z.minLength(1), z.maxLength(limits.recoveryTextMax))

/** Secret and recovery codes of a new authenticator, shown only once. */
export const otpEnrolment = z.object({
  /** `otpauth://totp/...`: the secret and its parameters, for a QR code. */
  otpAuthUrl: z.string(),
  /** Ten single-use codes of 16 characters in groups of four. */
  recoveryCodes: z.array(z.string()),
})
export type OtpEnrolment = z.infer<typeof otpEnrolment>
