/** Returns whether this browser can create passkeys. It requires HTTPS (except on localhost) and browser support. */
export function passkeySupport(): 'supported' | 'insecure' | 'unsupported' {
  if (!isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? 'supported' : 'unsupported'
}
