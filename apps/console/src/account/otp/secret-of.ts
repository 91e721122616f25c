/** Returns the base32 secret of an `otpauth://` address, for manual entry. */
export function secretOf(otpAuthUrl: string): string {
  return new URL(otpAuthUrl).searchParams.get('secret') ?? ''
}

/** In groups of four for readability. Authenticators ignore the spaces. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
