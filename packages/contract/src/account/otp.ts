import * as z from 'zod/mini'
import { otp, otpEnrolment } from '../auth/otp.ts'
import { done, instant } from '../collection.ts'
import { endpoint } from '../endpoint.ts'

export const otpErrors = {
  OTP_NOT_ENABLED: { status: 409, message: 'Two-factor authentication is not enabled' },
  OTP_NOT_STARTED: { status: 409, message: 'This set-up is no longer valid. Start again' },
  OTP_REFUSED: { status: 400, message: 'This OTP is not correct. Check the clock of your device' },
} as const

const otpState = z.object({
  isEnabled: z.boolean(),
  /** Null while one-time passwords are disabled. */
  enabledAt: z.nullable(instant),
  /** Number of unused recovery codes. */
  recoveryCodesLeft: z.number(),
})
export type OtpState = z.infer<typeof otpState>

const signedInRecently = ['UNAUTHENTICATED', 'RECENT_SIGN_IN_NEEDED'] as const

export const otpEndpoints = {
  read: endpoint('GET', '/me/account/otp', {
    summary:
      'Returns whether one-time passwords are enabled, since when, and the number of unused recovery codes.',
    reply: otpState,
    errors: ['UNAUTHENTICATED'],
  }),
  init: endpoint('POST', '/me/account/otp/init', {
    summary:
      'Creates a secret and ten recovery codes, which take effect when `activate` receives a code of that secret.',
    reply: otpEnrolment,
    errors: [...signedInRecently],
  }),
  activate: endpoint('POST', '/me/account/otp/activate', {
    summary: 'Enables the secret of the last `init` after a code has proved that the authenticator works.',
    body: z.strictObject({ otp }),
    reply: done,
    errors: [...signedInRecently, 'OTP_NOT_STARTED', 'OTP_REFUSED', 'SECOND_FACTOR_LOCKED'],
  }),
  disable: endpoint('DELETE', '/me/account/otp', {
    summary: 'Turns off two-factor authentication and deletes the secret and the recovery codes.',
    reply: done,
    errors: [...signedInRecently, 'OTP_NOT_ENABLED'],
  }),
  renewRecoveryCodes: endpoint('PUT', '/me/account/otp/recovery-codes', {
    summary: 'Replaces the recovery codes with ten new ones.',
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [...signedInRecently, 'OTP_NOT_ENABLED'],
  }),
}
