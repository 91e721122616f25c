import { limits } from '@pult/contract'
import { Secret, TOTP } from 'otpauth'

/** Parameters that every authenticator supports (RFC 6238, and the defaults of `otpauth://` URLs). */
/** Seconds for which a code is valid. */
export const totpPeriod = 30

const parameters = {
  issuer: 'Pult',
  algorithm: 'SHA1',
  digits: limits.otpLength,
  period: totpPeriod,
} as const

/** Accepted clock skew of the authenticator in steps, in both directions (RFC 6238 5.2). */
const window = 1

/** RFC 4226 4: a secret of 160 bits is recommended. */
const seedBytes = 20

/** Returns a new secret in base32, which users can also type. */
export const newSeed = (): string => new Secret({ size: seedBytes }).base32

const totpOf = (seed: string, label = '') =>
  new TOTP({ ...parameters, label, secret: Secret.fromBase32(seed) })

/** Returns the URL for a QR code; authenticators list the account as `label`. */
export const otpAuthUrl = (seed: string, label: string): string => totpOf(seed, label).toString()

/** Returns the time step of a code of six ASCII digits at an instant; null if the code matches no accepted step. */
export function stepOf(seed: string, otp: string, at: Date): number | null {
  const timestamp = at.getTime()
  const delta = totpOf(seed).validate({ token: otp, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta
}
