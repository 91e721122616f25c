/**
 * Why passkeys do not work on this page: it has no https, its address is an IP address, or the browser has none.
 */
export type PasskeyObstacle = 'insecure' | 'no-host-name' | 'unsupported'

/** Returns why passkeys do not work here; null if they do. */
export function passkeyObstacle(): PasskeyObstacle | null {
  // A passkey belongs to a domain. https://www.w3.org/TR/webauthn-3/#rp-id
  if (isIpAddress(location.hostname)) return 'no-host-name'
  // Browsers hide the passkey API without HTTPS, except on localhost.
  if (!isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? null : 'unsupported'
}

/** Browsers write every form of an IPv4 address with four decimal numbers, and an IPv6 address in brackets. */
export const isIpAddress = (hostname: string): boolean =>
  hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
