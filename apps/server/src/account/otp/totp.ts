import { limits } from '@pult/contract'
import { Secret, TOTP } from 'otpauth'

/** What every authenticator understands (RFC 6238, and the defaults of `otpauth://` URLs). */
const parameters = { issuer: 'Pult', algorithm: 'SHA1', digits: limits.otpLength, period: 30 } as const

/** Steps of skew between the authenticator's clock and ours that are forgiven, to either side (RFC 6238 5.2). */
const window = 1

/** RFC 4226 4: a secret of 160 bits is recommended. */
const seedBytes = 20

/** A new secret in base32, as people type it where they can't scan it. */
export const newSeed = (): string => new Secret({ size: seedBytes }).base32

const totpOf = (seed: string, label = '') =>
  new TOTP({ ...parameters, label, secret: Secret.fromBase32(seed) })

/** What a QR code carries; `label` is the account as the authenticator's list names it. */
export const otpAuthUrl = (seed: string, label: string): string => totpOf(seed, label).toString()

/** The time step that a code of six ASCII digits belongs to at an instant; null when it is of none that counts. */
export function stepOf(seed: string, otp: string, at: Date): number | null {
  const timestamp = at.getTime()
  const delta = totpOf(seed).validate({ token: otp, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta
}
