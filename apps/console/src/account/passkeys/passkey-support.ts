/** Whether passkeys can be made here: not without https (except on localhost), and not in old browsers. */
export function passkeySupport(): 'supported' | 'insecure' | 'unsupported' {
  if (!isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? 'supported' : 'unsupported'
}
