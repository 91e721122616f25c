/** The secret in an `otpauth://` address, in base32, for who enters it by hand. */
export function secretOf(otpAuthUrl: string): string {
  return new URL(otpAuthUrl).searchParams.get('secret') ?? ''
}

/** In groups of four, which the eye can follow; authenticators overlook the spaces. */
export function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
