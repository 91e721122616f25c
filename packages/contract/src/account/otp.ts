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
  /** When it was turned on; null when it is off. */
  enabledAt: z.nullable(instant),
  /** How many recovery codes have not been used. */
  recoveryCodesLeft: z.number(),
})
export type OtpState = z.infer<typeof otpState>

const signedInRecently = ['UNAUTHENTICATED', 'RECENT_SIGN_IN_NEEDED'] as const

export const otpEndpoints = {
  read: endpoint('GET', '/me/account/otp', {
    summary: 'Whether the account asks for a one-time password.',
    reply: otpState,
    errors: ['UNAUTHENTICATED'],
  }),
  init: endpoint('POST', '/me/account/otp/init', {
    summary:
      'Makes a secret and recovery codes, which count once one code of that secret was sent to activate. Until then everything stays as it is.',
    reply: otpEnrolment,
    errors: [...signedInRecently],
  }),
  activate: endpoint('POST', '/me/account/otp/activate', {
    summary: 'Turns the secret of the last init on, with a code that proves the authenticator works.',
    body: z.strictObject({ otp }),
    reply: done,
    errors: [...signedInRecently, 'OTP_NOT_STARTED', 'OTP_REFUSED', 'SECOND_FACTOR_LOCKED'],
  }),
  disable: endpoint('DELETE', '/me/account/otp', {
    summary: 'Turns two-factor authentication off and forgets the secret and the recovery codes.',
    reply: done,
    errors: [...signedInRecently, 'OTP_NOT_ENABLED'],
  }),
  renewRecoveryCodes: endpoint('PUT', '/me/account/otp/recovery-codes', {
    summary: 'Makes ten new recovery codes; the old ones end.',
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [...signedInRecently, 'OTP_NOT_ENABLED'],
  }),
}
